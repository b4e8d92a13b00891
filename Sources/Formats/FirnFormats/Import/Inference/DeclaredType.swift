package import FirnValues

/// A type that the user declared for a column (`--type zip=String`); its values can be written more
/// freely than inference accepts.
package struct DeclaredType: Hashable, Sendable {
    /// The property, or `CLASS.PROPERTY`.
    package let property: String
    package let type: PropertyType
    /// The target class of a link.
    package let targetName: String?

    package init(property: String, type: PropertyType, targetName: String? = nil) {
        self.property = property
        self.type = type
        self.targetName = targetName
    }

    /// Returns whether the declaration applies to a property of a class.
    package func isMeant(for name: String, of className: String) -> Bool {
        property == name || property == "\(className).\(name)"
    }

    /// The types of columns that can be bulk loaded.
    package static let kinds: [ValueTag] = [.bool, .int, .double, .date, .string]

    /// Returns the value of a text, or `nil` if the text is not a value of the type.
    static func value(of text: UnsafeBufferPointer<UInt8>, as kind: ValueTag) -> ParsedValue? {
        if kind == .string { return .text }
        let text = FieldText.trimmed(text)
        switch kind {
        // Longer than any number or date; limits the size of the copy.
        case _ where text.count > 400: return nil
        case .bool: return bool(text).map { .bool($0) }
        case .int: return Int64(String(decoding: text, as: UTF8.self)).map { .int($0) }
        case .double: return double(text).map { .double($0) }
        case .date: return Timestamp.parse(text).map { .date($0.timestamp) }
        default: return nil
        }
    }

    /// Returns the value of a text whose numbers are in another form.
    static func value(
        of text: UnsafeBufferPointer<UInt8>, as kind: ValueTag, _ numbers: NumberForm?
    ) -> ParsedValue? {
        guard let numbers, kind == .int || kind == .double else { return value(of: text, as: kind) }
        var plain: [UInt8] = []
        switch numbers.read(text, into: &plain) {
        case .plain: return value(of: text, as: kind)
        case .foreign: return nil
        case .converted: return plain.withUnsafeBufferPointer { value(of: $0, as: kind) }
        }
    }

    private static func bool(_ text: UnsafeBufferPointer<UInt8>) -> Bool? {
        switch String(decoding: text, as: UTF8.self).lowercased() {
        case "true", "1": true
        case "false", "0": false
        default: nil
        }
    }

    private static func double(_ text: UnsafeBufferPointer<UInt8>) -> Double? {
        let words = ["NaN", "Infinity", "-Infinity"]
        let string = String(decoding: text, as: UTF8.self)
        if words.contains(string) { return Double(string) }
        let isNumber = text.allSatisfy { byte in
            byte &- UInt8(ascii: "0") < 10 || "+-.eE".utf8.contains(byte)
        }
        guard isNumber, let value = Double(string), value.isFinite else { return nil }
        return value
    }
}

/// A value of a declared type; a string is not copied.
enum ParsedValue {
    case bool(Bool)
    case int(Int64)
    case double(Double)
    case date(Timestamp)
    case text
}
