import FirnValues

/// A sort criterion, which consists of a property and a direction.
///
///     dogs.sorted(by: [SortDescriptor(keyPath: "age", ascending: false), "name"])
public struct SortDescriptor: Hashable, Sendable, CustomStringConvertible {
    /// A property, or a path to one across links: `"owner.name"`.
    public let keyPath: String
    /// A Boolean value that indicates whether the lowest value comes first.
    ///
    /// Nil is the lowest.
    public let ascending: Bool

    /// Creates a sort descriptor for the name of a property.
    public init(keyPath: String, ascending: Bool = true) {
        self.keyPath = keyPath
        self.ascending = ascending
    }

    /// Creates a sort descriptor for the key path of a property.
    ///
    /// The program stops if the key path does not name a persisted property.
    public init<Element: KeypathSortable>(
        keyPath: PartialKeyPath<Element>, ascending: Bool = true
    ) {
        self.init(keyPath: Element.name(of: keyPath), ascending: ascending)
    }

    /// Returns a sort descriptor for the same property in the opposite direction.
    public func reversed() -> SortDescriptor {
        SortDescriptor(keyPath: keyPath, ascending: !ascending)
    }

    /// A textual representation of the property and the direction.
    public var description: String {
        "SortDescriptor(keyPath: \(keyPath), direction: \(ascending ? "ascending" : "descending"))"
    }
}

extension SortDescriptor: ExpressibleByStringLiteral {
    /// Creates an ascending sort descriptor for the name of a property.
    public init(stringLiteral value: String) { self.init(keyPath: value) }
}
