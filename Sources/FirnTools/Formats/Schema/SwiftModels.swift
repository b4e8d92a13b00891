package import FirnEngine
import FirnValues

/// Classes as the Swift source of the model classes that open them.
///
///     class Person: Object {
///         @Persisted(primaryKey: true) var id: Int
///         @Persisted var dogs: List<Dog>
///     }
package enum SwiftModels {
    package static func source(_ definitions: [ClassDefinition]) -> String {
        "import Firn\n" + definitions.map { "\n" + source($0) }.joined()
    }

    private static func source(_ definition: ClassDefinition) -> String {
        let name = SwiftName(definition.name)
        var source =
            "class \(name.text): \(definition.isEmbedded ? "EmbeddedObject" : "Object") {\n"
        var names = SwiftNames()
        // What the model cannot call as the file does.
        var mapping: [(swift: String, column: String)] = []
        for property in definition.properties {
            let swift = names.add(property.name)
            source += "    @Persisted\(arguments(property, definition)) var \(swift.text): "
            source += type(property) + "\n"
            let column = property.columnName ?? property.name
            if !swift.plain.utf8.elementsEqual(column.utf8) {
                mapping.append((swift.plain, column))
            }
        }
        for inverse in definition.inverses {
            let swift = names.add(inverse.name)
            source += "    @Persisted(originProperty: \(literal(inverse.sourcePropertyName)))"
            source += " var \(swift.text): LinkingObjects<"
            source += "\(SwiftName(inverse.sourceClassName).text)>\n"
        }
        if !mapping.isEmpty { source += propertiesMapping(mapping) }
        if !name.plain.utf8.elementsEqual(definition.name.utf8) {
            source += "\n    override class func _realmObjectName() -> String? { "
            source += "\(literal(definition.name)) }\n"
        }
        return source + "}\n"
    }

    private static func arguments(
        _ property: ClassDefinition.Property, _ definition: ClassDefinition
    ) -> String {
        if property.name == definition.keyName { return "(primaryKey: true)" }
        return property.isIndexed ? "(indexed: true)" : ""
    }

    private static func type(_ property: ClassDefinition.Property) -> String {
        let type = property.type
        let mark = type.isOptional && type.base != .any ? "?" : ""
        let element = element(type, property.targetName) + mark
        switch type.container {
        case .single: return element
        case .list: return "List<\(element)>"
        case .set: return "MutableSet<\(element)>"
        case .map: return "Map<String, \(element)>"
        }
    }

    private static func element(_ type: PropertyType, _ target: String?) -> String {
        switch type.base {
        case .any: "AnyRealmValue"
        case .link: SwiftName(target ?? "Object").text
        default: type.element.name.filter { $0 != "?" }
        }
    }

    private static func propertiesMapping(
        _ mapping: [(swift: String, column: String)]
    ) -> String {
        var source = "\n    override class func propertiesMapping() -> [String: String] {\n"
        source += "        [\n"
        for (swift, column) in mapping {
            source += "            \(literal(swift)): \(literal(column)),\n"
        }
        return source + "        ]\n    }\n"
    }

    /// A string literal; every character that is not plain is written by its number.
    private static func literal(_ text: String) -> String {
        var literal = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"", "\\": literal += "\\" + String(scalar)
            case " "..."~": literal.unicodeScalars.append(scalar)
            default: literal += "\\u{" + String(scalar.value, radix: 16) + "}"
            }
        }
        return literal + "\""
    }
}

/// A name as Swift can say it.
struct SwiftName {
    /// Without backquotes.
    let plain: String
    /// As it stands in the source.
    var text: String { SwiftName.keywords.contains(plain) ? "`\(plain)`" : plain }

    /// Each character that no identifier has becomes `_`.
    init(_ name: String) {
        var plain = ""
        for scalar in name.unicodeScalars {
            let isDigit = ("0"..."9").contains(scalar)
            let isAllowed =
                scalar == "_" || isDigit || (scalar.isASCII && scalar.properties.isAlphabetic)
                || (!scalar.isASCII && scalar.properties.isXIDContinue)
            if plain.isEmpty, isDigit || (isAllowed && !SwiftName.begins(scalar)) { plain += "_" }
            plain.unicodeScalars.append(isAllowed ? scalar : "_")
        }
        self.plain = plain.isEmpty || plain.allSatisfy { $0 == "_" } ? plain + "_value" : plain
    }

    fileprivate init(plain: String) { self.plain = plain }

    private static func begins(_ scalar: Unicode.Scalar) -> Bool {
        scalar == "_" || scalar.properties.isXIDStart
    }

    private static let keywords: Set<String> = [
        "Any", "Protocol", "Self", "Type", "as", "associatedtype", "break", "case", "catch",
        "class",
        "continue", "default", "defer", "deinit", "do", "else", "enum", "extension", "fallthrough",
        "false", "fileprivate", "for", "func", "guard", "if", "import", "in", "init", "inout",
        "internal", "is", "let", "nil", "operator", "precedencegroup", "private", "protocol",
        "public", "repeat", "rethrows", "return", "self", "static", "struct", "subscript", "super",
        "switch", "throw", "throws", "true", "try", "typealias", "var", "where", "while",
    ]
}

/// The names of one class, each used once.
private struct SwiftNames {
    private var used: Set<String> = []

    mutating func add(_ name: String) -> SwiftName {
        let wanted = SwiftName(name)
        var chosen = wanted
        var number = 2
        while !used.insert(chosen.plain).inserted {
            chosen = SwiftName(plain: "\(wanted.plain)_\(number)")
            number += 1
        }
        return chosen
    }
}
