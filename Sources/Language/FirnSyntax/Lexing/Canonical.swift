package import FirnValues

/// The canonical spelling of names and literals, which parses to the same tree.
package enum Canonical {
    /// Returns a name, in backquotes if it would otherwise be parsed differently.
    package static func name(_ name: String) -> String {
        let bytes = Array(name.utf8)
        let isPlain =
            bytes.first.map(Lexer.isNameStart) == true
            && bytes.allSatisfy { Lexer.isNamePart($0) && $0 < 0x80 }
        if isPlain, !reserved.contains(name.uppercased()) { return name }
        return "`" + name.replacing("`", with: "``") + "`"
    }

    private static let reserved: TextSet = [
        "AND", "OR", "NOT", "ANY", "SOME", "ALL", "NONE", "TRUE", "FALSE", "NULL", "NIL", "INF",
        "INFINITY", "NAN", "TRUEPREDICATE", "FALSEPREDICATE", "SUBQUERY", "WHERE", "IN", "B64",
        "YES", "NO",
    ]

    /// Returns a literal, truncated to a number of characters for error messages.
    package static func literal(_ value: Value, scalarsMax: Int = .max) -> String {
        switch value {
        case .string(let text): return string(text, scalarsMax: scalarsMax)
        case .uuid(let uuid): return "uuid(\"\(uuid)\")"
        case .objectID(let objectID): return "oid(\"\(objectID)\")"
        case .date(let date): return literal(date)
        case .decimal128(let decimal): return "decimal(\"\(decimal)\")"
        case .data(let bytes):
            let isCut = bytes.count > scalarsMax
            return "B64\"" + base64(isCut ? bytes.prefix(scalarsMax) : bytes[...])
                + (isCut ? "\"..." : "\"")
        case .link(let target): return "link(\(target.classID.rawValue), \(target.rowID.rawValue))"
        case .list(let values), .set(let values):
            return "{" + values.map { literal($0) }.joined(separator: ", ") + "}"
        case .map(let entries):
            let pairs = entries.sorted { $0.key < $1.key }.map {
                "\(string($0.key, scalarsMax: scalarsMax)): \(literal($0.value))"
            }
            return "{" + pairs.joined(separator: ", ") + "}"
        default: return value.description
        }
    }

    /// Writes midnight as a date alone.
    ///
    /// The signs of both parts of `T<s>:<ns>` must agree.
    private static func literal(_ date: Timestamp) -> String {
        var dateOnly: [UInt8] = []
        if date.appendDateOnly(to: &dateOnly) { return String(decoding: dateOnly, as: UTF8.self) }
        let text = date.description
        guard text.hasPrefix("T"), date.seconds < 0, date.nanoseconds > 0 else { return text }
        return "T\(date.seconds + 1):\(date.nanoseconds - 1_000_000_000)"
    }

    private static func base64(_ bytes: ArraySlice<UInt8>) -> String {
        let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
        var text: [UInt8] = []
        text.reserveCapacity(bytes.count / 3 * 4 + 4)
        var bits: UInt32 = 0
        var bitCount = 0
        for byte in bytes {
            bits = (bits << 8 | UInt32(byte)) & 0xFFFF
            bitCount += 8
            while bitCount >= 6 {
                bitCount -= 6
                text.append(digits[Int(bits >> UInt32(bitCount) & 63)])
            }
        }
        if bitCount > 0 { text.append(digits[Int(bits << UInt32(6 - bitCount) & 63)]) }
        while text.count % 4 != 0 { text.append(UInt8(ascii: "=")) }
        return String(decoding: text, as: UTF8.self)
    }

    /// Returns a string literal in the given quotes.
    ///
    /// Characters that could affect a terminal are escaped.
    package static func string(
        _ text: String, quote: Character = "\"", scalarsMax: Int = .max
    ) -> String {
        var result = String(quote)
        for (index, scalar) in text.unicodeScalars.enumerated() {
            if index >= scalarsMax { return result + "\(quote)..." }
            switch scalar {
            case quote.unicodeScalars.first, "\\": result += "\\\(scalar)"
            case "\n": result += "\\n"
            case "\r": result += "\\r"
            case "\t": result += "\\t"
            default:
                guard SafeText.isHarmful(scalar) else {
                    result.unicodeScalars.append(scalar)
                    continue
                }
                for unit in String(scalar).utf16 {
                    let digits = String(unit, radix: 16)
                    result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
                }
            }
        }
        return result + String(quote)
    }
}
