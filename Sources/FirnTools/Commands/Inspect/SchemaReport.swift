import FirnEngine
import FirnValues

/// The classes of a database, as text and as a schema document.
struct SchemaReport {
    private struct Class {
        let name: String
        let key: String?
        let properties: [ClassDefinition.Property]
    }

    private let classes: [Class]

    init(definitions: [ClassDefinition]) {
        classes = definitions.map {
            Class(name: $0.name, key: $0.keyName, properties: $0.properties)
        }
    }

    init(_ schemas: [ClassSchema]) {
        classes = schemas.map { schema in
            Class(
                name: schema.name, key: schema.key.flatMap { schema[$0]?.name },
                properties: schema.properties.map {
                    ClassDefinition.Property(name: $0.name, type: $0.type, display: $0.display)
                })
        }
    }

    var text: String {
        var text = ""
        for (index, item) in classes.enumerated() {
            if index > 0 { text += "\n" }
            text += SafeText.escaping(item.name) + "\n"
            let names = item.properties.map { SafeText.escaping($0.name) }
            let widths = names.map { DisplayWidth.columns(of: $0) }
            let widest = widths.max() ?? 0
            for (place, property) in item.properties.enumerated() {
                text += "  " + names[place]
                text += String(repeating: " ", count: widest - widths[place] + 2)
                text += property.type.name
                if let display = property.display { text += ", " + SchemaReport.text(display) }
                if property.name == item.key { text += ", key" }
                text += "\n"
            }
        }
        return text
    }

    /// The document without a line feed.
    var json: String {
        var json = JSONObject()
        json.add("v", 1)
        json.add("classes", classes.map(SchemaReport.document))
        return json.text
    }

    private static func document(_ item: Class) -> JSONObject {
        var json = JSONObject()
        json.add("name", item.name)
        if let key = item.key { json.add("key", key) }
        json.add(
            "properties",
            item.properties.map { property in
                var json = JSONObject()
                json.add("name", property.name)
                let type = property.type
                let plain = PropertyType(type.base, container: type.container, target: type.target)
                json.add("type", plain.name)
                if type.isOptional { json.add("optional", true) }
                switch property.display {
                case .dateOnly: json.add("dateOnly", true)
                case .decimalPlaces(let places): json.add("decimalPlaces", Int64(places))
                case nil: break
                }
                return json
            })
        return json
    }

    private static func text(_ display: DisplayForm) -> String {
        switch display {
        case .dateOnly: "dates only"
        case .decimalPlaces(let places):
            "\(places) decimal place\(places == 1 ? "" : "s")"
        }
    }
}
