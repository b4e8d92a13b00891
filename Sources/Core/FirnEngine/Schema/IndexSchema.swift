package import FirnValues

/// The identity of an index in its class.
package struct IndexID: Hashable, Comparable, Sendable {
    package let rawValue: UInt32

    package init(_ rawValue: UInt32) { self.rawValue = rawValue }

    package static func < (left: IndexID, right: IndexID) -> Bool { left.rawValue < right.rawValue }
}

/// An index of a class, which orders the objects by the values of some properties.
package struct IndexSchema: Hashable, Sendable {
    package struct Options: OptionSet, Hashable, Sendable {
        package let rawValue: UInt8
        package init(rawValue: UInt8) { self.rawValue = rawValue }
        /// Whether no two objects have the same values, unless one of the values is nil.
        package static let unique = Options(rawValue: 1)
        /// `[c]`: treats texts that differ only in case as equal.
        package static let caseInsensitive = Options(rawValue: 2)
        /// The options that this build knows.
        static let known: Options = [.unique, .caseInsensitive]
    }

    /// The maximum number of properties of an index.
    package static let propertyCountMaximum = 16

    package let id: IndexID
    /// The properties, the most significant first.
    ///
    /// They have single values, except that a list or a set may be the only property: such an index
    /// has one entry for each distinct element.
    package let properties: [PropertyID]
    package let options: Options

    package init(id: IndexID, properties: [PropertyID], options: Options = []) {
        self.id = id
        self.properties = properties
        self.options = options
    }

    /// Whether the index marks its only property as indexed.
    package var isPlain: Bool { properties.count == 1 && options.isEmpty }

    package var isUnique: Bool { options.contains(.unique) }
}

extension ClassSchema {
    /// Returns the name of an index in statements and messages: `Person.name`, `Person.name[c]`,
    /// `Flight(origin, dest)`.
    package func name(of index: IndexSchema) -> String {
        let names = index.properties.map { self[$0]?.name ?? "?" }
        let list =
            names.count == 1
            ? "\(name).\(names[0])" : "\(name)(\(names.joined(separator: ", ")))"
        return list + (index.options.contains(.caseInsensitive) ? "[c]" : "")
    }

    /// Whether no two objects have the same value of a property, other than nil.
    package func isUnique(_ property: PropertySchema) -> Bool {
        property.id == key || index(on: [property.id], options: .unique) != nil
    }

    /// Returns an index of the given properties and options, or `nil` if there is none.
    package func index(
        on properties: [PropertyID], options: IndexSchema.Options
    ) -> IndexSchema? {
        indexes.first { $0.properties == properties && $0.options == options }
    }
}

extension [ClassSchema] {
    /// Whether other classes differ at most in their indexes.
    package func isSameExceptIndexes(as others: [ClassSchema]) -> Bool {
        elementsEqual(others) { $0 === $1 || $0.withoutIndexes == $1.withoutIndexes }
    }
}

extension ClassSchema {
    fileprivate var withoutIndexes: ClassSchema {
        with(properties: properties.map { $0.marked(isIndexed: false) }, indexes: [])
    }
}

extension PropertyType {
    /// Whether an index can order objects by values of this type, or by their elements.
    package var canBeIndexed: Bool {
        switch container {
        case .single: base != .any
        case .list, .set: base != .any && base != .link
        case .map: false
        }
    }
}

extension PropertySchema {
    /// Whether the class can have an index of the property.
    package var canBeIndexed: Bool { type.canBeIndexed }
}
