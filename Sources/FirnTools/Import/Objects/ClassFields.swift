import FirnEngine
import FirnValues

/// How the fields of an input are called in the database (`--map FIELD=PROP`).
struct FieldNames: Hashable {
    var properties: [String: String] = [:]

    func property(_ field: String) -> String { properties[field] ?? field }
}

/// What is looked up about a class for every record of it.
struct ClassFields {
    let schema: ClassSchema
    let keyProperty: PropertySchema?
    /// The place of a property by the name of the field.
    private let places: [String: Int]
    /// The properties that a new object must be given.
    let required: [PropertyID]

    init(_ schema: ClassSchema, _ names: FieldNames) {
        self.schema = schema
        keyProperty = schema.keyProperty
        var places: [String: Int] = [:]
        for (index, property) in schema.properties.enumerated() { places[property.name] = index }
        // A field that is mapped means nothing under its own name any more.
        for (field, name) in names.properties {
            places[field] = schema.properties.firstIndex { $0.name == name }
        }
        self.places = places
        required = schema.properties.filter { $0.type.absentValue == nil }.map(\.id)
    }

    func property(of field: String) -> PropertySchema? {
        places[field].map { schema.properties[$0] }
    }

    /// The properties of the class, for errors.
    func listing(_ schema: Schema) -> String {
        self.schema.properties.sorted { $0.name < $1.name }.prefix(40).map { property in
            "\(SafeText.escaping(property.name)) \(schema.typeName(property.type))"
                + (property.id == self.schema.key ? " (key)" : "")
        }.joined(separator: " · ")
    }
}
