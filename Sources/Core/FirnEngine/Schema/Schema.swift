package import FirnValues

/// The classes of a database in one version.
package struct Schema: Hashable, Sendable {
    /// The classes in the order in which they were added.
    package let classes: [ClassSchema]

    package init(classes: [ClassSchema]) { self.classes = classes }

    /// The classes that are listed by default: all except the internal classes of the object API,
    /// such as subscriptions.
    package var listedClasses: [ClassSchema] { classes.filter { !$0.isInternal } }

    /// Returns the class with a name; names are case-sensitive.
    package func classNamed(_ name: String) -> ClassSchema? {
        classes.first { $0.name == name }
    }

    /// Returns the class with an identity.
    package subscript(id: ClassID) -> ClassSchema? { classes.first { $0.id == id } }

    /// Returns the name of a type, including the name of the class to which it links: `Plane?`,
    /// `List<Dog>`.
    package func typeName(_ type: PropertyType) -> String {
        type.name(ofTarget: type.target.flatMap { self[$0]?.name } ?? "Link")
    }

    /// Returns all properties that link to a class, in the order of their classes.
    package func incoming(to target: ClassID) -> [IncomingLink] {
        classes.flatMap { source in
            source.properties.filter { $0.type.base == .link && $0.type.target == target }
                .map { IncomingLink(source: source, property: $0) }
        }
    }

    /// Whether a link property owns its target.
    package func isOwning(_ property: PropertySchema) -> Bool {
        property.type.base == .link
            && property.type.target.flatMap { self[$0]?.isEmbedded } ?? false
    }
}

/// A property that links to a class.
package struct IncomingLink: Hashable, Sendable {
    package let source: ClassSchema
    package let property: PropertySchema
}

/// A class: a name and the properties of its objects.
///
/// It is immutable, and a class type because every access to a row holds it.
package final class ClassSchema: Hashable, Sendable {
    /// The limit of the format.
    package static let propertyCountMaximum = 10_000

    package let id: ClassID
    package let name: String
    /// The properties in the order in which they were added.
    package let properties: [PropertySchema]
    /// The primary key, if the class has one.
    package let key: PropertyID?
    /// Whether each object is part of the one object that links to it.
    package let isEmbedded: Bool
    /// Names for the objects that link here; they have no column.
    package let inverses: [InverseProperty]
    /// The indexes in the order in which they were added.
    package let indexes: [IndexSchema]

    package init(
        id: ClassID, name: String, properties: [PropertySchema], key: PropertyID?,
        isEmbedded: Bool = false, inverses: [InverseProperty] = [], indexes: [IndexSchema] = []
    ) {
        self.id = id
        self.name = name
        self.properties = properties
        self.key = key
        self.isEmbedded = isEmbedded
        self.inverses = inverses
        self.indexes = indexes
    }

    /// Returns the property with a name; names are case-sensitive.
    package func propertyNamed(_ name: String) -> PropertySchema? {
        properties.first { $0.name == name }
    }

    /// Returns the inverse property with a name.
    package func inverseNamed(_ name: String) -> InverseProperty? {
        inverses.first { $0.name == name }
    }

    /// Returns the property with an identity.
    package subscript(id: PropertyID) -> PropertySchema? { properties.first { $0.id == id } }

    /// Returns the index of a property in ``properties``.
    package func index(of id: PropertyID) -> Int? { properties.firstIndex { $0.id == id } }

    /// Whether the class belongs to the object API and not to a model.
    ///
    /// No class of a program has such a name, because it would have to contain a period.
    package var isInternal: Bool { name.hasPrefix("firn.") }

    /// The primary key property.
    package var keyProperty: PropertySchema? { key.flatMap { self[$0] } }

    /// Whether one object may have nil as its key.
    package var mayKeyBeNull: Bool { keyProperty?.type.isOptional ?? false }

    package static func == (left: ClassSchema, right: ClassSchema) -> Bool {
        left === right
            || left.id == right.id && left.name == right.name && left.key == right.key
                && left.isEmbedded == right.isEmbedded && left.properties == right.properties
                && left.inverses == right.inverses && left.indexes == right.indexes
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(id)
        hasher.combine(name)
        hasher.combine(properties)
    }
}

/// A property: one column of a class.
///
/// It is immutable, and a class type for the same reason as ``ClassSchema``.
package final class PropertySchema: Hashable, Sendable {
    package let id: PropertyID
    package let name: String
    package let type: PropertyType
    /// The form in which values were written at their origin, for display only.
    package let display: DisplayForm?
    /// Whether the property is marked as indexed.
    ///
    /// Its class then has a plain index of it, if its type can be indexed.
    package let isIndexed: Bool
    /// The name of the column, which is the name of the property by default.
    package let columnName: String

    package init(
        id: PropertyID, name: String, type: PropertyType, display: DisplayForm? = nil,
        isIndexed: Bool = false, columnName: String? = nil
    ) {
        self.id = id
        self.name = name
        self.type = type
        self.display = display
        self.isIndexed = isIndexed
        self.columnName = columnName ?? name
    }

    /// The kind of the pages of its column, or of the elements of its collections.
    ///
    /// A link is stored as the row id of its target.
    package var columnKind: ValueTag { type.columnKind }

    /// Whether its values may refer to objects, so that it has a link index.
    package var mayLink: Bool { type.base == .link || type.base == .any }

    package static func == (left: PropertySchema, right: PropertySchema) -> Bool {
        left === right
            || left.id == right.id && left.name == right.name && left.type == right.type
                && left.display == right.display && left.isIndexed == right.isIndexed
                && left.columnName == right.columnName
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(id)
        hasher.combine(name)
        hasher.combine(type)
    }
}

extension PropertyType {
    /// The kind of the pages that store values or elements of this type.
    package var columnKind: ValueTag { base == .link ? .int : base }
}

/// A named inverse: the objects of a class that link here through one property.
package struct InverseProperty: Hashable, Sendable {
    private let nameKey: TextKey
    package let sourceClass: ClassID
    package let sourceProperty: PropertyID

    package var name: String { nameKey.text }

    package init(name: String, sourceClass: ClassID, sourceProperty: PropertyID) {
        nameKey = TextKey(name)
        self.sourceClass = sourceClass
        self.sourceProperty = sourceProperty
    }
}
