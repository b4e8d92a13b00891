package import FirnValues

/// The classes of a database as of one version.
package struct Schema: Hashable, Sendable {
    /// In the order in which they were added.
    package let classes: [ClassSchema]

    package init(classes: [ClassSchema]) { self.classes = classes }

    /// The class of that name; names are case-sensitive.
    package func classNamed(_ name: String) -> ClassSchema? {
        classes.first { $0.name == name }
    }

    /// The class with that identity.
    package subscript(id: ClassID) -> ClassSchema? { classes.first { $0.id == id } }
}

/// A class: a name and the properties that its objects have.
package struct ClassSchema: Hashable, Sendable {
    /// What the format allows.
    static let propertyCountMaximum = 10_000

    package let id: ClassID
    package let name: String
    /// In the order in which they were added.
    package let properties: [PropertySchema]
    /// The primary key, if the class has one.
    package let key: PropertyID?

    package init(id: ClassID, name: String, properties: [PropertySchema], key: PropertyID?) {
        self.id = id
        self.name = name
        self.properties = properties
        self.key = key
    }

    /// The property of that name; names are case-sensitive.
    package func propertyNamed(_ name: String) -> PropertySchema? {
        properties.first { $0.name == name }
    }

    /// The property with that identity.
    package subscript(id: PropertyID) -> PropertySchema? { properties.first { $0.id == id } }

    /// The place of a property among ``properties``.
    package func index(of id: PropertyID) -> Int? { properties.firstIndex { $0.id == id } }
}

/// A property: one column of a class.
package struct PropertySchema: Hashable, Sendable {
    package let id: PropertyID
    package let name: String
    package let type: PropertyType
    /// How values were written where they came from; only for showing them.
    package let display: DisplayForm?

    package init(id: PropertyID, name: String, type: PropertyType, display: DisplayForm? = nil) {
        self.id = id
        self.name = name
        self.type = type
        self.display = display
    }
}
