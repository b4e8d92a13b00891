import FirnCodec
import FirnValues

/// 64-bit codes whose order is the order of sorting: null first, then the values ascending.
///
///     null      0
///     bool      1, 2
///     int       value with its sign flipped; the two smallest become 1 and are not exact
///     double    bits made monotone; both zeros are one code, NaN is the greatest
///     date      (seconds + 2^33) in 34 bits, nanoseconds in 30; outside of the years 1697 to 2242
///               saturated and not exact
///     string    the first 7 bytes, then min(length, 8) + 1: exact up to 7 bytes
///
/// Different codes decide. Equal codes decide too if they are exact, else the values must be
/// compared. A descending key uses the complement of the code.
enum SortCode {
    /// Appends the codes of a vector.
    static func append(_ vector: ColumnVector, to codes: inout [UInt64]) {
        let start = codes.count
        switch vector.kind {
        case .bool:
            for row in 0..<vector.count { codes.append(vector.ints[row] == 0 ? 1 : 2) }
        case .double:
            for row in 0..<vector.count { codes.append(code(vector.doubles[row])) }
        case .string:
            vector.bytes.withUnsafeBufferPointer { bytes in
                for row in 0..<vector.count {
                    let range = Int(vector.offsets[row])..<Int(vector.offsets[row + 1])
                    codes.append(code(UnsafeBufferPointer(rebasing: bytes[range])))
                }
            }
        case .date:
            for row in 0..<vector.count {
                codes.append(
                    code(seconds: vector.ints[row], nanoseconds: vector.nanoseconds[row]))
            }
        default:
            for row in 0..<vector.count {
                codes.append(max(1, UInt64(bitPattern: vector.ints[row]) ^ (1 << 63)))
            }
        }
        guard !vector.nulls.isEmpty else { return }
        for row in 0..<vector.count where vector.isNull(row) { codes[start + row] = 0 }
    }

    /// Whether only equal values have this code.
    ///
    /// The code itself says so, whatever rows it is held against.
    static func isExact(_ code: UInt64, _ kind: ValueTag) -> Bool {
        switch kind {
        case .string: code & 0xFF != longString
        case .date: code != 1 && code != .max
        case .int: code != 1
        default: true
        }
    }

    /// The last byte of the code of a string of more than 7 bytes.
    private static let longString: UInt64 = 9

    /// A code that is not above that of any value from `value` on; for pruning by zone maps.
    static func code(of value: Value) -> UInt64? {
        switch value {
        case .bool(let flag): return flag ? 2 : 1
        case .int(let number): return max(1, UInt64(bitPattern: number) ^ (1 << 63))
        case .double(let number): return code(number)
        case .date(let date):
            return code(seconds: date.seconds, nanoseconds: date.nanoseconds)
        case .string(let text):
            var text = text
            return text.withUTF8 { code($0) }
        default: return nil
        }
    }

    /// The value that has this code, where that is easy to say: numbers but NaN.
    static func value(of code: UInt64, _ kind: ValueTag) -> Value? {
        switch kind {
        case .int: return code > 1 ? .int(Int64(bitPattern: code ^ (1 << 63))) : nil
        case .double:
            guard code > 0, code < .max else { return nil }
            return .double(Double(bitPattern: code >> 63 == 1 ? code ^ (1 << 63) : ~code))
        default: return nil
        }
    }

    private static func code(_ number: Double) -> UInt64 {
        if number.isNaN { return .max }
        let bits = (number == 0 ? 0.0 : number).bitPattern
        return bits >> 63 == 1 ? ~bits : bits | 1 << 63
    }

    private static func code(_ text: UnsafeBufferPointer<UInt8>) -> UInt64 {
        var code: UInt64 = 0
        for index in 0..<7 {
            code = code << 8 | (index < text.count ? UInt64(text[index]) : 0)
        }
        return code << 8 | UInt64(min(text.count, 8) + 1)
    }

    private static func code(seconds: Int64, nanoseconds: Int32) -> UInt64 {
        let bias: Int64 = 1 << 33
        guard seconds > -bias, seconds < bias else { return seconds < 0 ? 1 : .max }
        return UInt64(bitPattern: seconds + bias) << 30 | UInt64(UInt32(bitPattern: nanoseconds))
    }
}
