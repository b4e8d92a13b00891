import FirnQuery

extension Query where T: RealmEnum {
    /// The stored raw value.
    public var rawValue: Query<T.RawValue> { Query<T.RawValue>(node) }
}

extension Query where T: OptionalProtocol, T.Wrapped: RealmEnum {
    /// The stored raw value.
    public var rawValue: Query<T.Wrapped.RawValue?> { Query<T.Wrapped.RawValue?>(node) }
}

extension Query where T: _CustomPersistable {
    /// The stored value.
    public var persistableValue: Query<T.PersistedType> { Query<T.PersistedType>(node) }
}

extension Query where T: OptionalProtocol, T.Wrapped: _CustomPersistable {
    /// The stored value.
    public var persistableValue: Query<T.Wrapped.PersistedType?> {
        Query<T.Wrapped.PersistedType?>(node)
    }
}

extension Query where T == AnyRealmValue {
    /// Accesses the element at a position of a list.
    public subscript(index: Int) -> Query<AnyRealmValue> { step(.index(.position(Int64(index)))) }

    /// Accesses the value of a key of a dictionary.
    public subscript(key: String) -> Query<AnyRealmValue> { step(.index(.key(key))) }

    /// Any of the values of a list or dictionary.
    public var any: Query<AnyRealmValue> { step(.index(.all)) }
}
