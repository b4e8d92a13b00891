package import FirnValues

/// What a caller says of a class to add; the store gives the identities.
package struct ClassDefinition: Hashable, Sendable {
    package struct Property: Hashable, Sendable {
        package let name: String
        package let type: PropertyType
        package let display: DisplayForm?

        package init(name: String, type: PropertyType, display: DisplayForm? = nil) {
            self.name = name
            self.type = type
            self.display = display
        }
    }

    package let name: String
    package let properties: [Property]
    /// The name of the primary key property, if any.
    package let keyName: String?

    package init(name: String, properties: [Property], keyName: String? = nil) {
        self.name = name
        self.properties = properties
        self.keyName = keyName
    }
}
