import FirnValues

extension ObjectId {
    /// Reads an identity.
    ///
    /// - Parameter string: 24 hexadecimal digits in either case.
    /// - Throws: ``Realm/Error`` with the code `invalidInput` for any other text.
    public init(string: String) throws {
        guard let bits = ObjectID(string) else {
            throw Realm.Error(
                .invalidInput, "\"\(string)\" is no ObjectId, which has 24 hexadecimal digits")
        }
        self.init(bits: bits)
    }
}
