import Testing

extension Tag {
    /// A case of an attack on a user of Firn by means of a file, a name, a link, a text or a query.
    ///
    /// `grep -r '\.tags(\.security)' Tests` lists the cases of all test targets.
    @Tag static var security: Self
}
