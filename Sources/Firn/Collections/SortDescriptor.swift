/// One criterion of an order: a property, and in which direction.
///
///     dogs.sorted(by: [SortDescriptor(keyPath: "age", ascending: false), "name"])
public struct SortDescriptor: Hashable, Sendable, CustomStringConvertible {
    /// The property, or the way to it over links: `"owner.name"`.
    public let keyPath: String
    /// Whether the lowest comes first; nil is lower than everything.
    public let ascending: Bool

    /// Names a property.
    public init(keyPath: String, ascending: Bool = true) {
        self.keyPath = keyPath
        self.ascending = ascending
    }

    /// Names a property by its key path.
    ///
    /// The program stops if it is not that of a persisted property.
    public init<Element: KeypathSortable>(
        keyPath: PartialKeyPath<Element>, ascending: Bool = true
    ) {
        self.init(keyPath: Element.name(of: keyPath), ascending: ascending)
    }

    /// The same property in the other direction.
    public func reversed() -> SortDescriptor {
        SortDescriptor(keyPath: keyPath, ascending: !ascending)
    }

    /// The property and the direction.
    public var description: String {
        "SortDescriptor(keyPath: \(keyPath), direction: \(ascending ? "ascending" : "descending"))"
    }
}

extension SortDescriptor: ExpressibleByStringLiteral {
    /// Names a property to be ordered by, the lowest first.
    public init(stringLiteral value: String) { self.init(keyPath: value) }
}
