package import FirnValues

/// The text of a type: `Int?`, `List<Date>`, or the name of a class for a link.
///
/// Backquotes mark the name of a class: Date is a type, and `` `Date` `` is a link.
package struct TypeText: Hashable {
    package let type: PropertyType
    /// The class of a link.
    package let targetName: String?

    /// The types of scalar values.
    package static let names = [
        "Bool", "Int", "Int8", "Int16", "Int32", "Float", "Double", "Decimal128", "String", "Data",
        "Date", "UUID", "ObjectId", "Any",
    ]

    /// Returns the type that a word of another language corresponds to; `nil` for other words.
    package static func name(ofOther word: String) -> String? {
        switch word.lowercased() {
        case "text", "varchar", "char", "str": "String"
        case "integer", "bigint", "long", "int64", "number": "Int"
        case "short", "smallint": "Int16"
        case "real", "numeric": "Double"
        case "decimal": "Decimal128"
        case "boolean": "Bool"
        case "datetime", "timestamp", "time": "Date"
        case "blob", "bytes", "binary": "Data"
        case "json": "Any"
        default: nil
        }
    }

    package init?(_ text: String) {
        if let type = PropertyType(named: text) {
            self.type = type
            targetName = nil
            return
        }
        var name = text
        var container = PropertyType.Container.single
        for (word, kind) in [
            ("list", PropertyType.Container.list), ("set", .set), ("map", .map),
        ] where text.lowercased().hasPrefix(word + "<") && text.hasSuffix(">") {
            name = text.trimmingBytes(first: word.utf8.count + 1, last: 1)
            container = kind
        }
        let isOptional = name.hasSuffix("?")
        if isOptional { name = name.trimmingBytes(last: 1) }
        // A class with the name of a type.
        if name.utf8.count > 2, name.hasPrefix("`"), name.hasSuffix("`") {
            name = name.trimmingBytes(first: 1, last: 1)
        }
        guard let first = name.first, first.isLetter || first == "_",
            name.allSatisfy({ $0.isLetter || $0.isNumber || $0 == "_" })
        else { return nil }
        type = PropertyType(
            .link, isOptional: container == .single || (isOptional && container == .map),
            container: container)
        targetName = name
    }
}
