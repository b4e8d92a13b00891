package import FirnValues

/// What a caller says of a class to add; the store gives the identities.
package struct ClassDefinition: Hashable, Sendable {
    /// A property to add.
    package struct Property: Hashable, Sendable {
        package let name: String
        /// For a link the target may be missing: then ``targetName`` says it.
        package let type: PropertyType
        package let display: DisplayForm?
        /// The class that a link leads to; it may be added together with this one.
        package let targetName: String?
        /// Whether it is marked as indexed, which makes nothing faster yet.
        package let isIndexed: Bool
        /// The name of the column, if it is not the name of the property.
        package let columnName: String?

        package init(
            name: String, type: PropertyType, display: DisplayForm? = nil,
            targetName: String? = nil, isIndexed: Bool = false, columnName: String? = nil
        ) {
            self.name = name
            self.type = type
            self.display = display
            self.targetName = targetName
            self.isIndexed = isIndexed
            self.columnName = columnName
        }
    }

    /// A name for the objects that link here through one property.
    package struct Inverse: Hashable, Sendable {
        package let name: String
        package let sourceClassName: String
        package let sourcePropertyName: String

        package init(name: String, sourceClassName: String, sourcePropertyName: String) {
            self.name = name
            self.sourceClassName = sourceClassName
            self.sourcePropertyName = sourcePropertyName
        }
    }

    package let name: String
    package let properties: [Property]
    /// The name of the primary key property, if any.
    package let keyName: String?
    /// Whether objects of the class live inside of the one object that links to them.
    package let isEmbedded: Bool
    package let inverses: [Inverse]

    package init(
        name: String, properties: [Property], keyName: String? = nil, isEmbedded: Bool = false,
        inverses: [Inverse] = []
    ) {
        self.name = name
        self.properties = properties
        self.keyName = keyName
        self.isEmbedded = isEmbedded
        self.inverses = inverses
    }
}
