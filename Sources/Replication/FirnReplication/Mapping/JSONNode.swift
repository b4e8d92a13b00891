import FirnValues

/// A JSON value, as columns of the type jsonb have it.
///
/// Numbers keep their digits: 64-bit integers do not fit into a Double.
indirect enum JSONNode: Hashable, Sendable {
    case null
    case bool(Bool)
    case number(String)
    case string(String)
    case array([JSONNode])
    case object(TextMap<JSONNode>)

    /// The text, with the members of objects in the order of their names.
    var text: String {
        var text = ""
        append(to: &text)
        return text
    }

    private func append(to text: inout String) {
        switch self {
        case .null: text += "null"
        case .bool(let value): text += value ? "true" : "false"
        case .number(let digits): text += digits
        case .string(let value): JSONNode.append(value, to: &text)
        case .array(let elements):
            text += "["
            for (index, element) in elements.enumerated() {
                if index > 0 { text += "," }
                element.append(to: &text)
            }
            text += "]"
        case .object(let members):
            text += "{"
            for (index, member) in members.sorted(by: { $0.key < $1.key }).enumerated() {
                if index > 0 { text += "," }
                JSONNode.append(member.key, to: &text)
                text += ":"
                member.value.append(to: &text)
            }
            text += "}"
        }
    }

    private static func append(_ value: String, to text: inout String) {
        text += "\""
        for scalar in value.unicodeScalars {
            switch scalar {
            case "\"": text += "\\\""
            case "\\": text += "\\\\"
            case "\u{0}"..<"\u{20}":
                let digits = String(scalar.value, radix: 16)
                text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: text.unicodeScalars.append(scalar)
            }
        }
        text += "\""
    }
}

// MARK: Parsing

extension JSONNode {
    /// The depth beyond which a text is refused.
    static let depthMaximum = 128

    /// Parses the text of a jsonb value.
    ///
    /// - Returns: `nil` if the text is no JSON, or nests deeper than ``depthMaximum``.
    init?(parsing text: String) {
        var scanner = Scanner(rest: Array(text.utf8)[...])
        guard let node = scanner.node(depth: 0) else { return nil }
        scanner.skipSpace()
        guard scanner.rest.isEmpty else { return nil }
        self = node
    }

    private struct Scanner {
        var rest: ArraySlice<UInt8>

        mutating func skipSpace() {
            while let byte = rest.first, byte == 0x20 || (0x09...0x0D).contains(byte) {
                rest.removeFirst()
            }
        }

        private mutating func take(_ character: Character) -> Bool {
            skipSpace()
            guard let byte = rest.first, byte == character.asciiValue else { return false }
            rest.removeFirst()
            return true
        }

        private mutating func take(word: String) -> Bool {
            guard rest.starts(with: word.utf8) else { return false }
            rest = rest.dropFirst(word.utf8.count)
            return true
        }

        mutating func node(depth: Int) -> JSONNode? {
            guard depth <= JSONNode.depthMaximum else { return nil }
            skipSpace()
            switch rest.first {
            case UInt8(ascii: "{"): return object(depth: depth)
            case UInt8(ascii: "["): return array(depth: depth)
            case UInt8(ascii: "\""): return string().map { .string($0) }
            case UInt8(ascii: "t"): return take(word: "true") ? .bool(true) : nil
            case UInt8(ascii: "f"): return take(word: "false") ? .bool(false) : nil
            case UInt8(ascii: "n"): return take(word: "null") ? .null : nil
            default: return number()
            }
        }

        private mutating func number() -> JSONNode? {
            let digits = rest.prefix { byte in
                (0x30...0x39).contains(byte) || "+-.eE".utf8.contains(byte)
            }
            let text = String(decoding: digits, as: UTF8.self)
            guard Double(text) != nil else { return nil }
            rest = rest.dropFirst(digits.count)
            return .number(text)
        }

        private mutating func array(depth: Int) -> JSONNode? {
            guard take("[") else { return nil }
            var elements: [JSONNode] = []
            if take("]") { return .array(elements) }
            repeat {
                guard let element = node(depth: depth + 1) else { return nil }
                elements.append(element)
            } while take(",")
            return take("]") ? .array(elements) : nil
        }

        private mutating func object(depth: Int) -> JSONNode? {
            guard take("{") else { return nil }
            var members: TextMap<JSONNode> = [:]
            if take("}") { return .object(members) }
            repeat {
                skipSpace()
                guard let name = string(), take(":"), let member = node(depth: depth + 1) else {
                    return nil
                }
                members[name] = member
            } while take(",")
            return take("}") ? .object(members) : nil
        }

        private mutating func string() -> String? {
            guard rest.popFirst() == UInt8(ascii: "\"") else { return nil }
            var units: [UInt8] = []
            while let byte = rest.popFirst() {
                if byte == UInt8(ascii: "\"") { return String(validating: units, as: UTF8.self) }
                guard byte == UInt8(ascii: "\\") else {
                    units.append(byte)
                    continue
                }
                guard let scalar = escape() else { return nil }
                units.append(contentsOf: String(Character(scalar)).utf8)
            }
            return nil
        }

        private mutating func escape() -> UnicodeScalar? {
            switch rest.popFirst() {
            case UInt8(ascii: "n"): return "\n"
            case UInt8(ascii: "t"): return "\t"
            case UInt8(ascii: "r"): return "\r"
            case UInt8(ascii: "b"): return "\u{8}"
            case UInt8(ascii: "f"): return "\u{C}"
            case UInt8(ascii: "u"):
                guard let high = unit() else { return nil }
                guard (0xD800..<0xDC00).contains(high) else { return UnicodeScalar(high) }
                guard take(word: "\\u"), let low = unit(), (0xDC00..<0xE000).contains(low) else {
                    return nil
                }
                return UnicodeScalar(0x10000 + (high - 0xD800) << 10 + (low - 0xDC00))
            case let byte?: return "\"\\/".utf8.contains(byte) ? UnicodeScalar(byte) : nil
            case nil: return nil
            }
        }

        private mutating func unit() -> UInt32? {
            let digits = rest.prefix(4)
            guard digits.count == 4,
                let number = UInt32(String(decoding: digits, as: UTF8.self), radix: 16)
            else { return nil }
            rest = rest.dropFirst(4)
            return number
        }
    }
}
