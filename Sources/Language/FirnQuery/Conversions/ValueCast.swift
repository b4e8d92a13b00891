import FirnSyntax
import FirnValues

/// Conversions of values to other types; null for values that have no equivalent.
enum ValueCast {
    /// Returns a value as the type of a function.
    static func value(_ value: Value, as function: ScalarFunction) -> Value {
        switch function {
        case .int: int(value).map { .int($0) } ?? .null
        case .double: double(value).map { .double($0) } ?? .null
        case .decimal: decimal(value).map { .decimal128($0) } ?? .null
        case .bool: bool(value).map { .bool($0) } ?? .null
        case .date: date(value).map { .date($0) } ?? .null
        default: text(value)
        }
    }

    /// Returns a whole number; a fraction is truncated.
    private static func int(_ value: Value) -> Int64? {
        switch value {
        case .int(let number): number
        case .bool(let flag): flag ? 1 : 0
        case .string(let text): Int64(text)
        case .float(let number): Int64(exactly: number.rounded(.towardZero))
        case .double(let number): Int64(exactly: number.rounded(.towardZero))
        case .decimal128(let number): number.truncated.wholeNumber
        default: nil
        }
    }

    private static func double(_ value: Value) -> Double? {
        switch value {
        case .int(let number): Double(number)
        case .bool(let flag): flag ? 1 : 0
        case .string(let text): double(text)
        case .float(let number): Double(number)
        case .double(let number): number
        case .decimal128(let number):
            number.nearestDouble.isFinite || !number.isFinite ? number.nearestDouble : nil
        default: nil
        }
    }

    /// Returns the nearest Double of a number in decimal digits, or of inf or nan; `nil` if the
    /// number is too large.
    private static func double(_ text: String) -> Double? {
        let isDecimal = text.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "+"),
                UInt8(ascii: "-"), UInt8(ascii: "e"), UInt8(ascii: "E"):
                true
            default: false
            }
        }
        if isDecimal { return Double(text).flatMap { $0.isFinite ? $0 : nil } }
        let name =
            text.utf8.first.map { $0 == UInt8(ascii: "+") || $0 == UInt8(ascii: "-") } == true
            ? text.dropFirst() : text[...]
        return ["inf", "infinity", "nan"].contains(name.lowercased()) ? Double(text) : nil
    }

    private static func decimal(_ value: Value) -> Decimal128? {
        switch value {
        case .int(let number): Decimal128(number)
        case .bool(let flag): Decimal128(flag ? 1 : 0)
        case .string(let text): Decimal128(text)
        case .float(let number): Decimal128(shortest: number)
        case .double(let number): Decimal128(shortest: number)
        case .decimal128(let number): number
        default: nil
        }
    }

    private static func bool(_ value: Value) -> Bool? {
        switch value {
        case .bool(let flag): return flag
        case .int(let number): return number != 0
        case .string(let text):
            switch text.lowercased() {
            case "true", "yes", "1": return true
            case "false", "no", "0": return false
            default: return nil
            }
        default: return nil
        }
    }

    private static func date(_ value: Value) -> Timestamp? {
        switch value {
        case .date(let date): date
        case .string(let text): Timestamp(text)
        default: nil
        }
    }

    private static func text(_ value: Value) -> Value {
        switch value {
        case .null, .link, .list, .set, .map, .data: return .null
        case .string: return value
        case .date(let date):
            var text: [UInt8] = []
            guard date.appendDateOnly(to: &text) else { return .string(date.description) }
            return .string(String(decoding: text, as: UTF8.self))
        default: return .string(value.description)
        }
    }
}

extension Decimal128 {
    /// The number without its fraction.
    fileprivate var truncated: Decimal128 { rounded(isNegative ? .up : .down) }
}
