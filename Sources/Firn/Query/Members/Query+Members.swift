extension Query where T: KeypathSortable {
    /// A property of the object.
    @_disfavoredOverload
    public subscript<V>(dynamicMember member: KeyPath<T, V>) -> Query<V> {
        self.member(T.name(of: member), V.self)
    }
}

extension Query where T: ObjectBase & KeypathSortable {
    /// The value of a property that is an object of its own.
    public subscript<V>(dynamicMember member: KeyPath<T, RealmProperty<V>>) -> Query<V> {
        self.member(T.name(of: member.appending(path: \.value)), V.self)
    }

    /// The value of a property that is an object of its own.
    public subscript<V>(dynamicMember member: KeyPath<T, RealmOptional<V>>) -> Query<V?> {
        self.member(T.name(of: member.appending(path: \.value)), V?.self)
    }
}

extension Query where T: ProjectionObservable, T.Root: KeypathSortable {
    /// A property of the object that a projection shows, also if the projection has one of its name.
    public subscript<V>(dynamicMember member: KeyPath<T.Root, V>) -> Query<V> {
        self.member(T.Root.name(of: member), V.self)
    }
}

extension Query where T: OptionalProtocol, T.Wrapped: KeypathSortable {
    /// A property of the object that a link leads to.
    public subscript<V>(dynamicMember member: KeyPath<T.Wrapped, V>) -> Query<V> {
        self.member(T.Wrapped.name(of: member), V.self)
    }
}

extension Query where T: RealmCollection, T.Element: KeypathSortable {
    /// A property of the elements: a comparison with it holds if it does for any of them.
    public subscript<V>(dynamicMember member: KeyPath<T.Element, V>) -> Query<V> {
        self.member(T.Element.name(of: member), V.self)
    }
}

extension Query where T == Bool {
    /// Whether both conditions hold.
    public static func && (left: Query, right: Query) -> Query {
        Query(.all([left.node, right.node]))
    }

    /// Whether a condition holds, or the other one, or both.
    public static func || (left: Query, right: Query) -> Query {
        Query(.oneOf([left.node, right.node]))
    }

    /// Whether a condition does not hold.
    public static prefix func ! (query: Query) -> Query { Query(.not(query.node)) }

    /// How many elements of a collection satisfy a condition.
    ///
    ///     people.where { ($0.dogs.age > 8 && $0.dogs.name == "Rex").count > 1 }
    ///
    /// Every path of the condition begins with the same collection of objects.
    public var count: Query<Int> { Query<Int>(.countOf(node)) }
}
