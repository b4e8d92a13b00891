package import FirnValues

/// The definition of a class to add; the store assigns the identities.
package struct ClassDefinition: Hashable, Sendable {
    /// A property to add.
    package struct Property: Hashable, Sendable {
        package let name: String
        /// The type; the target of a link may be missing if ``targetName`` names it.
        package let type: PropertyType
        package let display: DisplayForm?
        /// The target class of a link, which may be added together with this class.
        package let targetName: String?
        /// Whether the class gets a plain index of the property, if its type can be indexed.
        package let isIndexed: Bool
        /// The name of the column, if it differs from the name of the property.
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

    /// An index to add.
    package struct Index: Hashable, Sendable {
        package let propertyNames: [String]
        package let options: IndexSchema.Options

        package init(_ propertyNames: [String], options: IndexSchema.Options = []) {
            self.propertyNames = propertyNames
            self.options = options
        }
    }

    package let name: String
    package let properties: [Property]
    /// The name of the primary key property, if any.
    package let keyName: String?
    /// Whether each object of the class is part of the one object that links to it.
    package let isEmbedded: Bool
    package let inverses: [Inverse]
    /// The indexes other than the indexes of properties that are marked as indexed.
    package let indexes: [Index]

    package init(
        name: String, properties: [Property], keyName: String? = nil, isEmbedded: Bool = false,
        inverses: [Inverse] = [], indexes: [Index] = []
    ) {
        self.name = name
        self.properties = properties
        self.keyName = keyName
        self.isEmbedded = isEmbedded
        self.inverses = inverses
        self.indexes = indexes
    }
}
