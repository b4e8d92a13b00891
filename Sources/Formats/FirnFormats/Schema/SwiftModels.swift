package import FirnEngine
import FirnValues

/// Swift source of the model classes for classes of a database.
///
///     class Person: Object {
///         @Persisted(primaryKey: true) var id: Int
///         @Persisted var dogs: List<Dog>
///     }
package enum SwiftModels {
    package static func source(_ definitions: [ClassDefinition]) -> String {
        let bases = definitions.flatMap { $0.properties.map(\.type.base) }
        let needsFoundation = bases.contains { [.date, .data, .uuid].contains($0) }
        let writer = ClassWriter(definitions)
        return "import Firn\n" + (needsFoundation ? "import Foundation\n" : "")
            + definitions.map { "\n" + writer.source($0) }.joined()
    }

    /// Returns a string literal; special characters are written as escapes.
    fileprivate static func literal(_ text: String) -> String {
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

/// Writes classes that refer to each other.
private struct ClassWriter {
    /// The Swift names of the classes, by their names in the file.
    private var names: TextMap<SwiftName> = [:]

    init(_ definitions: [ClassDefinition]) {
        var unique = SwiftNames(reserved: SwiftNames.types)
        for definition in definitions { names[definition.name] = unique.add(definition.name) }
    }

    private func name(_ className: String) -> SwiftName {
        names[className] ?? SwiftName(className)
    }

    func source(_ definition: ClassDefinition) -> String {
        let name = name(definition.name)
        var source =
            "class \(name.text): \(definition.isEmbedded ? "EmbeddedObject" : "Object") {\n"
        var names = SwiftNames(reserved: SwiftNames.members)
        // The properties whose names in the model differ from the file.
        var mapping: [(swift: String, column: String)] = []
        for property in definition.properties {
            let swift = names.add(property.name)
            source += "    @Persisted\(arguments(property, definition)) var \(swift.text): "
            source += type(property) + "\n"
            let column = property.columnName ?? property.name
            if swift.plain != column {
                mapping.append((swift.plain, column))
            }
        }
        for inverse in definition.inverses {
            let swift = names.add(inverse.name)
            source += "    @Persisted(originProperty: "
            source += "\(SwiftModels.literal(inverse.sourcePropertyName)))"
            source += " var \(swift.text): LinkingObjects<"
            source += "\(self.name(inverse.sourceClassName).text)>\n"
        }
        if !mapping.isEmpty { source += propertiesMapping(mapping) }
        if name.plain != definition.name {
            source += "\n    override class func className() -> String { "
            source += "\(SwiftModels.literal(definition.name)) }\n"
        }
        return source + "}\n"
    }

    private func arguments(
        _ property: ClassDefinition.Property, _ definition: ClassDefinition
    ) -> String {
        if property.name == definition.keyName { return "(primaryKey: true)" }
        let indexable: [ValueTag] = [.bool, .int, .string, .date, .objectID, .uuid]
        let isIndexable =
            property.type.container == .single && indexable.contains(property.type.base)
        return property.isIndexed && isIndexable ? "(indexed: true)" : ""
    }

    private func type(_ property: ClassDefinition.Property) -> String {
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

    private func element(_ type: PropertyType, _ target: String?) -> String {
        switch type.base {
        case .any: "AnyRealmValue"
        case .link: name(target ?? "Object").text
        default: type.element.name.filter { $0 != "?" }
        }
    }

    private func propertiesMapping(
        _ mapping: [(swift: String, column: String)]
    ) -> String {
        var source = "\n    override class func propertiesMapping() -> [String: String] {\n"
        source += "        [\n"
        for (swift, column) in mapping {
            source += "            \(SwiftModels.literal(swift)): "
            source += "\(SwiftModels.literal(column)),\n"
        }
        return source + "        ]\n    }\n"
    }
}

/// A valid Swift name.
struct SwiftName {
    /// The name without backquotes.
    let plain: String
    /// The name in the source.
    var text: String { SwiftName.keywords.contains(plain) ? "`\(plain)`" : plain }

    /// Replaces each character that is invalid in an identifier with `_`.
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

    private static let keywords: TextSet = [
        "Any", "Protocol", "Self", "Type", "as", "associatedtype", "break", "case", "catch",
        "class",
        "continue", "default", "defer", "deinit", "do", "else", "enum", "extension", "fallthrough",
        "false", "fileprivate", "for", "func", "guard", "if", "import", "in", "init", "inout",
        "internal", "is", "let", "nil", "operator", "precedencegroup", "private", "protocol",
        "public", "repeat", "rethrows", "return", "self", "static", "struct", "subscript", "super",
        "switch", "throw", "throws", "true", "try", "typealias", "var", "where", "while",
    ]
}

/// Names in one scope, each used once.
private struct SwiftNames {
    private var used: TextSet

    /// - Parameter reserved: the names that have another meaning there.
    init(reserved: TextSet) { used = reserved }

    /// The members of every object.
    static let members: TextSet = [
        "className", "description", "freeze", "hash", "hashValue", "isFrozen", "isInvalidated",
        "isSameObject", "objectSchema", "observe", "propertiesMapping", "realm",
        "shouldIncludeInDefaultSchema", "thaw",
    ]
    /// The types that model classes use.
    static let types: TextSet = [
        "AnyRealmValue", "Bool", "Data", "Date", "Decimal128", "Double", "EmbeddedObject", "Float",
        "Int", "Int8", "Int16", "Int32", "LinkingObjects", "List", "Map", "MutableSet", "Object",
        "ObjectBase", "ObjectId", "Persisted", "Projection", "Realm", "Results", "String", "UUID",
    ]

    mutating func add(_ name: String) -> SwiftName {
        let wanted = SwiftName(name)
        return SwiftName(
            plain: used.insertNumbered(wanted.plain) { "\(wanted.plain)_\($0)" })
    }
}
