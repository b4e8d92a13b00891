import FirnQuery
import FirnSyntax
import FirnValues

extension Query where T: KeypathSortable {
    /// Accesses a property of the object.
    @_disfavoredOverload
    public subscript<V>(dynamicMember member: KeyPath<T, V>) -> Query<V> {
        self.member(T.name(of: member), V.self)
    }
}

extension Query where T: ObjectBase & KeypathSortable {
    /// Accesses the value of a property that is a separate object.
    public subscript<V>(dynamicMember member: KeyPath<T, RealmProperty<V>>) -> Query<V> {
        self.member(T.name(of: member.appending(path: \.value)), V.self)
    }

    /// Accesses the value of a property that is a separate object.
    @available(*, deprecated, message: "use RealmProperty<Value?> or @Persisted")
    public subscript<V>(dynamicMember member: KeyPath<T, RealmOptional<V>>) -> Query<V?> {
        self.member(T.name(of: member.appending(path: \.value)), V?.self)
    }
}

extension Query where T: ProjectionObservable, T.Root: KeypathSortable {
    /// Accesses a property of the projected object.
    ///
    /// It takes precedence over a property of the projection with the same name.
    public subscript<V>(dynamicMember member: KeyPath<T.Root, V>) -> Query<V> {
        self.member(T.Root.name(of: member), V.self)
    }
}

extension Query where T: OptionalProtocol, T.Wrapped: KeypathSortable {
    /// Accesses a property of the object that a link leads to.
    public subscript<V>(dynamicMember member: KeyPath<T.Wrapped, V>) -> Query<V> {
        self.member(T.Wrapped.name(of: member), V.self)
    }
}

extension Query where T: RealmCollection, T.Element: KeypathSortable {
    /// Accesses a property of the elements.
    ///
    /// A comparison is satisfied if any element satisfies it.
    public subscript<V>(dynamicMember member: KeyPath<T.Element, V>) -> Query<V> {
        self.member(T.Element.name(of: member), V.self)
    }
}

extension Query where T == Bool {
    /// Returns a query that tests whether both conditions are satisfied.
    public static func && (left: Query, right: Query) -> Query {
        Query(.all([left.node, right.node]))
    }

    /// Returns a query that tests whether at least one of two conditions is satisfied.
    public static func || (left: Query, right: Query) -> Query {
        Query(.oneOf([left.node, right.node]))
    }

    /// Returns a query that tests whether a condition is not satisfied.
    public static prefix func ! (query: Query) -> Query { Query(.not(query.node)) }

    /// The number of elements of a collection that satisfy a condition.
    ///
    ///     people.where { ($0.dogs.age > 8 && $0.dogs.name == "Rex").count > 1 }
    ///
    /// Every path of the condition must start with the same collection of objects.
    public var count: Query<Int> { Query<Int>(.countOf(node)) }
}

extension Query where T == AnyRealmValue {
    /// Accesses the element at a position of a list.
    public subscript(index: Int) -> Query<AnyRealmValue> { step(.index(.position(Int64(index)))) }

    /// Accesses the value of a key of a dictionary.
    public subscript(key: String) -> Query<AnyRealmValue> { step(.index(.key(key))) }

    /// Any of the values of a list or dictionary.
    public var any: Query<AnyRealmValue> { step(.index(.all)) }
}
