/// The stored values of enumerations and custom types.
///
/// They allow conditions that the type itself cannot express, such as the start of a string that is
/// not the raw value of any case.
extension Query where T: RealmCollectionValue {
    /// The stored value, which is the value itself unless its type is defined by the program.
    public var persistableValue: Query<T.PersistedType> { Query<T.PersistedType>(node) }
}

extension Query where T: RealmCollection {
    /// The stored values of the elements.
    ///
    /// The type of the collection only determines the operators.
    public var persistableValue: Query<AnyRealmCollection<T.Element.PersistedType>> {
        Query<AnyRealmCollection<T.Element.PersistedType>>(node)
    }
}

extension Query where T: RealmKeyedCollection {
    /// The stored values of a map.
    public var persistableValue: Query<Map<T.Key, T.Value.PersistedType>> {
        Query<Map<T.Key, T.Value.PersistedType>>(node)
    }
}

extension Query where T: RealmEnum {
    /// The stored raw value.
    public var rawValue: Query<T.RawValue> { Query<T.RawValue>(node) }
}

extension Query where T: OptionalProtocol, T.Wrapped: RealmEnum {
    /// The stored raw value.
    public var rawValue: Query<T.Wrapped.RawValue?> { Query<T.Wrapped.RawValue?>(node) }
}

extension Query where T: RealmCollection, T.Element: RealmEnum {
    /// The stored raw values of the elements.
    public var rawValue: Query<AnyRealmCollection<T.Element.RawValue>> {
        Query<AnyRealmCollection<T.Element.RawValue>>(node)
    }
}

extension Query
where T: RealmCollection, T.Element: OptionalProtocol, T.Element.Wrapped: RealmEnum {
    /// The stored raw values of the elements.
    public var rawValue: Query<AnyRealmCollection<T.Element.Wrapped.RawValue?>> {
        Query<AnyRealmCollection<T.Element.Wrapped.RawValue?>>(node)
    }
}

extension Query where T: RealmKeyedCollection, T.Value: RealmEnum {
    /// The stored raw values of a map.
    public var rawValue: Query<Map<T.Key, T.Value.RawValue>> {
        Query<Map<T.Key, T.Value.RawValue>>(node)
    }
}

extension Query
where T: RealmKeyedCollection, T.Value: OptionalProtocol, T.Value.Wrapped: RealmEnum {
    /// The stored raw values of a map.
    public var rawValue: Query<Map<T.Key, T.Value.Wrapped.RawValue?>> {
        Query<Map<T.Key, T.Value.Wrapped.RawValue?>>(node)
    }
}
