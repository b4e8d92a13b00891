import FirnValues

extension ObjectId: _SingleValue, _OptionalCapable, _Indexable, _PrimaryKey {
    /// The type that is stored, which is the type itself.
    public typealias PersistedType = ObjectId

    /// The declaration of an element.
    public static var _element: _PropertyDeclaration { _PropertyDeclaration(.objectID) }

    /// Returns a new identifier, the value of a property without an initial value.
    public static func _initial() -> ObjectId { .generate() }

    /// Creates an element from its stored form.
    public static func _decode(_ stored: _StoredValue, in realm: _RealmReference) -> ObjectId {
        guard case .objectID(let bits) = stored.value else { otherType(stored, Self.self) }
        return ObjectId(bits: bits)
    }

    /// Returns the stored form of an element.
    public func _encode(_ links: _LinkEncoder) -> _StoredValue { _StoredValue(.objectID(bits)) }

    /// Converts an identifier, or the string value of one, to an element.
    public static func _element(from value: Any) -> ObjectId? {
        if let id = value as? ObjectId { return id }
        return (value as? String).flatMap { ObjectID($0) }.map { ObjectId(bits: $0) }
    }
}

extension ObjectId {
    /// Creates an identifier from its text.
    ///
    /// - Parameter string: 24 hexadecimal digits, uppercase or lowercase.
    /// - Throws: ``Realm/Error`` with the code `invalidInput` for any other text.
    public init(string: String) throws {
        guard let bits = ObjectID(string) else {
            throw Realm.Error(
                .invalidInput, "\"\(string)\" is not an ObjectId, which has 24 hexadecimal digits")
        }
        self.init(bits: bits)
    }
}
