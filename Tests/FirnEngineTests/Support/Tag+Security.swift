import Testing

extension Tag {
    /// A case of what somebody may do to a user of Firn with a file, a name, a link, a text or a query.
    ///
    /// `grep -r '\.tags(\.security)' Tests` lists the cases of all test targets.
    @Tag static var security: Self
}
