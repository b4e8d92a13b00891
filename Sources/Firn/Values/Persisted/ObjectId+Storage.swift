import FirnValues

extension ObjectId: _SingleValue, _OptionalCapable, _Indexable, _PrimaryKey {
    /// What an element is declared as.
    public static var _element: _PropertyDeclaration { _PropertyDeclaration(.objectID) }

    /// The value of a property without an initial value: a new identity for every object.
    public static func _initial() -> ObjectId { .generate() }

    /// Makes an element of what the database has.
    public static func _decode(_ stored: _StoredValue, in realm: _RealmReference) -> ObjectId {
        guard case .objectID(let bits) = stored.value else { otherType(stored, Self.self) }
        return ObjectId(bits: bits)
    }

    /// What the database stores for an element.
    public func _encode(_ links: _LinkEncoder) -> _StoredValue { _StoredValue(.objectID(bits)) }

    /// Makes an element of an identity, or of the text of one.
    public static func _element(from value: Any) -> ObjectId? {
        if let id = value as? ObjectId { return id }
        return (value as? String).flatMap { ObjectID($0) }.map { ObjectId(bits: $0) }
    }
}
