import FirnValues

extension ObjectId {
    /// Creates an identifier from its text.
    ///
    /// - Parameter string: 24 hexadecimal digits, uppercase or lowercase.
    /// - Throws: ``Realm/Error`` with the code `invalidInput` for any other text.
    public init(string: String) throws {
        guard let bits = ObjectID(string) else {
            throw Realm.Error(
                .invalidInput, "\"\(string)\" is no ObjectId, which has 24 hexadecimal digits")
        }
        self.init(bits: bits)
    }
}
