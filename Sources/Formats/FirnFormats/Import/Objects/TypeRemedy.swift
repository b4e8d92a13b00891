import FirnEngine
import FirnText
import FirnValues

/// The option or command that makes a property accept a value.
package enum TypeRemedy {
    /// The property is in a database: it gets another type.
    case alter(file: String)
    /// The command creates the property: its type is declared.
    case declare

    /// Returns the remedy for a value that a property rejected; `nil` if another type does not
    /// help.
    func text(
        for mistake: RecordMistake, _ cell: JSONTree, _ property: PropertySchema,
        of schema: ClassSchema, isTable: Bool
    ) -> String? {
        let type = property.type
        guard type.container == .single, type.base != .link, type.base != .any,
            let typeName = TypeRemedy.type(
                accepting: cell, after: mistake, type, isTable: isTable)
        else { return nil }
        // A key cannot be nil.
        let isKey = property.id == schema.key
        if isKey, mistake.slug == .writeMissingValue { return nil }
        let needsNull =
            typeName != "Any" && (mistake.slug == .writeMissingValue || type.isOptional)
        return text(schema.name, property.name, typeName + (needsNull ? "?" : ""), mistake)
    }

    /// Returns the remedy for an object without a value for a required property.
    func text(forMissing property: PropertySchema, of schema: ClassSchema) -> String? {
        guard property.type.container == .single, property.id != schema.key else { return nil }
        return "allow nil with: "
            + command(schema.name, property.name, TypeRemedy.name(property.type) + "?")
    }

    private func text(
        _ className: String, _ property: String, _ typeName: String, _ mistake: RecordMistake
    ) -> String {
        let verb = mistake.slug == .writeMissingValue ? "allow nil" : "accept it"
        return "\(verb) with: \(command(className, property, typeName))"
    }

    private func command(_ className: String, _ property: String, _ typeName: String) -> String {
        switch self {
        case .alter(let file):
            let name = TypeRemedy.quoted(className) + "." + TypeRemedy.quoted(property)
            return "firn alter \(ShellWord.quoted(file)) "
                + ShellWord.quoted("retype \(name) \(typeName)")
        case .declare:
            return "--type " + ShellWord.quoted("\(className).\(property)=\(typeName)")
        }
    }

    /// Returns the narrowest type that accepts the value and the values so far; `nil` if none does, or if
    /// the property has it already.
    private static func type(
        accepting cell: JSONTree, after mistake: RecordMistake, _ type: PropertyType, isTable: Bool
    ) -> String? {
        if mistake.slug == .writeMissingValue { return name(type) }
        switch cell.content {
        case .number(let number): return numberType(number, type)
        case .string(let text):
            guard type.base != .string else { return nil }
            return isTable ? cellType(text, type) : "String"
        case .bool: return type.base == .string ? nil : "Any"
        case .null, .array, .object: return nil
        }
    }

    /// Returns a type for a number of JSON, which texts do not accept.
    private static func numberType(_ number: String, _ type: PropertyType) -> String? {
        var number = number
        let (int, double) = number.withUTF8 { (FieldText.int($0), FieldText.double($0)) }
        switch type.base {
        case .string: return nil
        case .int where int != nil: return type.integerWidth == .bits64 ? nil : "Int"
        case .int where double != nil: return "Double"
        case .int, .double, .float: return Decimal128(number) == nil ? nil : "Decimal128"
        default: return "Any"
        }
    }

    /// Returns a type for a field of a table.
    private static func cellType(_ text: String, _ type: PropertyType) -> String {
        guard type.base == .int else { return "String" }
        var text = text
        return text.withUTF8 { text in
            if FieldText.int(text) != nil { return type.integerWidth == .bits64 ? "String" : "Int" }
            return FieldText.double(text) != nil ? "Double" : "String"
        }
    }

    private static func name(_ type: PropertyType) -> String {
        PropertyType(type.base, integerWidth: type.integerWidth).name
    }

    /// Returns a name as `alter` reads it.
    private static func quoted(_ name: String) -> String {
        let isPlain = name.allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" || $0 == "$" }
        guard !isPlain else { return name }
        let escaped = name.map { $0 == "\"" || $0 == "\\" ? "\\\($0)" : String($0) }.joined()
        return "\"\(escaped)\""
    }
}

/// The number of words that a write reads as null, for each property.
package final class NullWordCounts {
    private var counts: TextMap<(count: UInt64, word: String)> = [:]
    private var names: [String] = []

    package init() {}

    /// Counts a word for a property.
    func note(_ word: String, _ property: PropertySchema, of schema: ClassSchema) {
        let name = "\(schema.name).\(property.name)"
        if let known = counts[name] {
            counts[name] = (known.count + 1, known.word)
        } else {
            names.append(name)
            counts[name] = (1, word)
        }
    }

    /// One line for each property, in the order of their first words.
    package var notes: [String] {
        names.compactMap { name in
            counts[name].map { counted in
                let word = SafeText.excerpt(of: counted.word.utf8, characters: 24)
                return "\(SafeText.escaping(name)): "
                    + "\(Formatting.count(counted.count, "value")) such as \"\(word)\" read as null"
            }
        }
    }
}
