package import FirnEngine
import FirnValues

/// Classes as JSON: `{"v":1,"classes":[{"name":"Person","key":"id","properties":[...]}]}`.
///
/// | member of a property | meaning |
/// |---|---|
/// | `name`, `type` | `Int`, `Dog` (a link), `List<Dog>`, `Map<Int?>`, `LinkingObjects<Flight>` |
/// | `optional`
/// a single value can be null; a link and an Any always can |
/// | `indexed`
/// the property has an index |
/// | `unique`
/// no two objects have the same value, unless it is null |
/// | `column`
/// the name of the column, if it differs |
/// | `dateOnly`, `decimalPlaces`
/// the display format of the values |
/// | `origin`
/// the property that links here, for an inverse |
///
/// Other indexes are members of their class: `"indexes":[{"properties":["origin","dest"]}]`, with
/// `"unique":true` and `"ignoreCase":true`.
package enum SchemaDocument {
    /// The value of `v`.
    static let version: Int64 = 1
    static let inverseName = "LinkingObjects"

    /// Returns the document on one line, without a line feed.
    package static func json(_ definitions: [ClassDefinition]) -> String {
        document(definitions).text
    }

    /// Returns the document as a part of another document.
    static func document(_ definitions: [ClassDefinition]) -> JSONObject {
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
            definition.properties.map { propertyDocument($0, of: definition) }
                + definition.inverses.map(inverseDocument))
        let others = definition.indexes.filter { index in
            !definition.properties.contains {
                index.propertyNames == [$0.name] && definition.isUnique($0)
                    && index.options == .unique
            }
        }
        if !others.isEmpty { json.add("indexes", others.map(indexDocument)) }
        return json
    }

    private static func indexDocument(_ index: ClassDefinition.Index) -> JSONObject {
        var json = JSONObject()
        json.add("properties", index.propertyNames)
        if index.options.contains(.unique) { json.add("unique", true) }
        if index.options.contains(.caseInsensitive) { json.add("ignoreCase", true) }
        return json
    }

    private static func propertyDocument(
        _ property: ClassDefinition.Property, of definition: ClassDefinition
    ) -> JSONObject {
        var json = JSONObject()
        json.add("name", property.name)
        let type = property.type
        let isSingle = type.container == .single
        // A single value has a separate member for null; an element of a collection has a ?.
        let plain = PropertyType(
            type.base, isOptional: isSingle ? false : type.isOptional, container: type.container,
            target: type.target, integerWidth: type.integerWidth)
        json.add("type", plain.name(ofTarget: property.targetName ?? "Link"))
        if isSingle, type.isOptional, type.base != .link, type.base != .any {
            json.add("optional", true)
        }
        if property.isIndexed { json.add("indexed", true) }
        if definition.isUnique(property) { json.add("unique", true) }
        if let column = property.columnName { json.add("column", column) }
        switch property.display {
        case .dateOnly: json.add("dateOnly", true)
        case .decimalPlaces(let places): json.add("decimalPlaces", Int64(places))
        case nil, .computedPlaces: break
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
