package import FirnEngine
package import FirnValues

/// The mapping of the fields of an input to properties (`--map FIELD=PROP`).
package struct FieldNames: Hashable {
    package var properties: TextMap<String> = [:]

    package init(properties: TextMap<String> = [:]) { self.properties = properties }

    /// Returns the name of the property for a field; a name that a property cannot have becomes a
    /// similar one.
    package func property(_ field: String) -> String {
        properties[field] ?? OutsideName.valid(field)
    }
}

/// The data about a class that every record of the class needs.
package struct ClassFields {
    let schema: ClassSchema
    let keyProperty: PropertySchema?
    /// The index of a property by the name of the field.
    private let indices: TextMap<Int>
    /// The properties that a new object must have.
    let required: [PropertyID]

    package init(_ schema: ClassSchema, _ names: FieldNames) {
        self.schema = schema
        keyProperty = schema.keyProperty
        var indices: TextMap<Int> = [:]
        for (index, property) in schema.properties.enumerated() { indices[property.name] = index }
        // A mapped field no longer has a meaning under its own name.
        for (field, name) in names.properties {
            indices[field] = schema.properties.firstIndex { $0.name == name }
        }
        self.indices = indices
        required = schema.properties.filter { $0.type.absentValue == nil }.map(\.id)
    }

    package func property(of field: String) -> PropertySchema? {
        let index = indices[field] ?? indices[OutsideName.valid(field)]
        return index.map { schema.properties[$0] }
    }

    /// Returns the properties of the class, for errors.
    func listing(_ schema: Schema) -> String {
        self.schema.properties.sorted { $0.name < $1.name }.prefix(40).map { property in
            "\(SafeText.escaping(property.name)) \(schema.typeName(property.type))"
                + (property.id == self.schema.key ? " (key)" : "")
        }.joined(separator: " · ")
    }
}
