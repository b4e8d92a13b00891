import Testing

extension Tag {
    /// A test whose behavior differs from that of Realm.
    ///
    /// `.ci/generators/differences` lists the names of these tests in the documentation.
    @Tag static var difference: Self
}
