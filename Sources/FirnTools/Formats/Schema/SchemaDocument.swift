package import FirnEngine
import FirnValues

/// Classes as JSON: `{"v":1,"classes":[{"name":"Person","key":"id","properties":[...]}]}`.
///
/// | member of a property | meaning |
/// |---|---|
/// | `name`, `type` | `Int`, `Dog` (a link), `List<Dog>`, `Map<Int?>`, `LinkingObjects<Flight>` |
/// | `optional` | a single value that may be null; a link and an Any always may |
/// | `indexed` | it is marked for an index, which makes nothing faster yet |
/// | `column` | the name of the column, if it is another one |
/// | `dateOnly`, `decimalPlaces` | how the values are shown |
/// | `origin` | of an inverse: the property that links here |
package enum SchemaDocument {
    /// What may stand at `v`.
    static let version: Int64 = 1
    static let inverseName = "LinkingObjects"

    /// The document on one line, without a line feed.
    package static func json(_ definitions: [ClassDefinition]) -> String {
        document(definitions).text
    }

    /// The document as a part of another one.
    package static func document(_ definitions: [ClassDefinition]) -> JSONObject {
        var json = JSONObject()
        json.add("v", version)
        json.add("classes", definitions.map(classDocument))
        return json
    }

    private static func classDocument(_ definition: ClassDefinition) -> JSONObject {
        var json = JSONObject()
        json.add("name", definition.name)
        if let key = definition.keyName { json.add("key", key) }
        if definition.isEmbedded { json.add("embedded", true) }
        json.add(
            "properties",
            definition.properties.map(propertyDocument) + definition.inverses.map(inverseDocument))
        return json
    }

    private static func propertyDocument(_ property: ClassDefinition.Property) -> JSONObject {
        var json = JSONObject()
        json.add("name", property.name)
        let type = property.type
        let isSingle = type.container == .single
        // Null is said by its own member where there is one value, and by a ? in a collection.
        let plain = PropertyType(
            type.base, isOptional: isSingle ? false : type.isOptional, container: type.container,
            target: type.target, integerWidth: type.integerWidth)
        json.add("type", plain.name(ofTarget: property.targetName ?? "Link"))
        if isSingle, type.isOptional, type.base != .link, type.base != .any {
            json.add("optional", true)
        }
        if property.isIndexed { json.add("indexed", true) }
        if let column = property.columnName { json.add("column", column) }
        switch property.display {
        case .dateOnly: json.add("dateOnly", true)
        case .decimalPlaces(let places): json.add("decimalPlaces", Int64(places))
        case nil: break
        }
        return json
    }

    private static func inverseDocument(_ inverse: ClassDefinition.Inverse) -> JSONObject {
        var json = JSONObject()
        json.add("name", inverse.name)
        json.add("type", "\(inverseName)<\(inverse.sourceClassName)>")
        json.add("origin", inverse.sourcePropertyName)
        return json
    }
}
