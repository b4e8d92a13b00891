import FirnValues

/// The texts of classes and values in the expected contents of the samples.
///
/// They show every bit: numbers as bits, exponents of decimals, bytes of texts that are not UTF-8.
/// Long texts and data are shown as digests.
enum SampleText {
    private static let shownMax = 4096

    // MARK: Classes

    static func heading(
        _ name: String, kind: String, key: String?, count: UInt64, columns: [String]
    ) -> String {
        "{\"$table\":\(quoted(name)),\"kind\":\"\(kind)\","
            + "\"pk\":\(key.map(quoted) ?? "null"),\"count\":\(count),"
            + "\"columns\":[\(columns.joined(separator: ","))]}"
    }

    /// - Parameters:
    ///   - container: `list`, `set` or `dict`.
    ///   - target: the class of a link.
    ///   - keys: the type of the keys of a dictionary.
    static func column(
        _ name: String, type: String, isNullable: Bool, container: String?, target: String?,
        keys: String?
    ) -> String {
        var text =
            "{\"name\":\(quoted(name)),\"type\":\"\(type)\",\"nullable\":\(isNullable),"
            + "\"collection\":\(container.map { "\"\($0)\"" } ?? "null")"
        if let target { text += ",\"target\":\(quoted(target))" }
        if let keys { text += ",\"keys\":\"\(keys)\"" }
        return text + "}"
    }

    // MARK: Values

    static func float(_ bits: UInt32) -> String { "{\"$float\":\"\(digits(UInt64(bits), 8))\"}" }

    static func double(_ bits: UInt64) -> String { "{\"$double\":\"\(digits(bits, 16))\"}" }

    static func string(_ text: String) -> String {
        let count = text.utf8.count
        guard count > shownMax else { return quoted(text) }
        return "{\"$text\":{\"len\":\(count),"
            + "\"sha256\":\"\(SHA256.digits(of: Array(text.utf8)))\"}}"
    }

    static func rawText(_ bytes: [UInt8]) -> String {
        "{\"$rawtext\":\"\(Base64.encoded(bytes))\"}"
    }

    static func data(_ bytes: [UInt8]) -> String {
        guard bytes.count > shownMax else { return "{\"$data\":\"\(Base64.encoded(bytes))\"}" }
        return "{\"$data\":{\"len\":\(bytes.count),\"sha256\":\"\(SHA256.digits(of: bytes))\"}}"
    }

    static func date(seconds: Int64, nanoseconds: Int64) -> String {
        "{\"$date\":[\(seconds),\(nanoseconds)]}"
    }

    /// Shows nanoseconds with the sign of the seconds, as Realm writes them today.
    ///
    /// Older programs wrote the same points in time with either sign.
    static func dateOfOneSign(seconds: Int64, nanoseconds: Int64) -> String {
        let billion: Int64 = 1_000_000_000
        if seconds < 0, nanoseconds > 0 {
            return date(seconds: seconds + 1, nanoseconds: nanoseconds - billion)
        }
        if seconds > 0, nanoseconds < 0 {
            return date(seconds: seconds - 1, nanoseconds: nanoseconds + billion)
        }
        return date(seconds: seconds, nanoseconds: nanoseconds)
    }

    static func decimal(_ number: Decimal128) -> String {
        let sign = number.isNegative ? "-" : ""
        let text: String
        if number.isNaN {
            text = sign + (number.isSignalling ? "sNaN" : "NaN")
        } else if number.isInfinite {
            text = sign + "Inf"
        } else {
            text = "\(sign)\(number.parts.coefficient)E\(number.parts.exponent)"
        }
        return "{\"$decimal\":\"\(text)\"}"
    }

    static func objectID(_ id: ObjectID) -> String { "{\"$oid\":\"\(id)\"}" }

    static func uuid(_ id: UUID) -> String { "{\"$uuid\":\"\(id)\"}" }

    static func link(_ className: String, _ key: UInt64) -> String {
        "{\"$link\":[\(quoted(className)),\(key)]}"
    }

    // MARK: Collections

    static func list(_ elements: [String]) -> String {
        "[" + elements.joined(separator: ",") + "]"
    }

    static func set(_ elements: [String]) -> String {
        let sorted = elements.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
        return "{\"$set\":" + list(sorted) + "}"
    }

    /// The key of an entry of a dictionary.
    enum Key {
        case int(Int64)
        case string(String)
        case rawText([UInt8])

        var text: String {
            switch self {
            case .int(let number): "\(number)"
            case .string(let text): SampleText.string(text)
            case .rawText(let bytes): SampleText.rawText(bytes)
            }
        }

        func precedes(_ other: Key) -> Bool {
            switch (self, other) {
            case (.int(let left), .int(let right)): left < right
            case (.string(let left), .string(let right)):
                left.utf8.lexicographicallyPrecedes(right.utf8)
            default: text < other.text
            }
        }
    }

    static func dictionary(_ entries: [(key: Key, value: String)]) -> String {
        let sorted = entries.sorted { $0.key.precedes($1.key) }
        return "{\"$dict\":" + list(sorted.map { "[\($0.key.text),\($0.value)]" }) + "}"
    }

    // MARK: JSON

    static func quoted(_ text: String) -> String {
        var quoted = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"", "\\":
                quoted += "\\"
                quoted.unicodeScalars.append(scalar)
            case "\u{0}"..<" ": quoted += "\\u" + digits(UInt64(scalar.value), 4)
            default: quoted.unicodeScalars.append(scalar)
            }
        }
        return quoted + "\""
    }

    private static func digits(_ number: UInt64, _ count: Int) -> String {
        let digits = String(number, radix: 16)
        return String(repeating: "0", count: count - digits.count) + digits
    }
}
