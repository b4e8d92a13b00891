import FirnCodec
import FirnValues

/// 64-bit codes that sort like the values: null first, then the values ascending.
///
///     null      0
///     bool      1, 2
///     int       value with its sign flipped; the two smallest become 1 and are not exact
///     double    bits made monotone; both zeros are one code, NaN is the greatest; float too
///     date      (seconds + 2^33) in 34 bits, nanoseconds in 30; outside of the years 1697 to 2242
///               saturated and not exact
///     string    the first 7 bytes, then min(length, 8) + 1: exact up to 7 bytes; data too
///     uuid      the first 8 bytes, at least 1; never exact; object ids too
///     decimal   sign, exponent, 14 digits: exact if it has no more (``decimal(_:)``)
///     any       4 bits of the kind, then of its code what fits; never exact (``any(_:)``)
///
/// If two codes differ, they decide the comparison. If they are equal and exact, the values are
/// equal. Otherwise the values must be compared. A descending key uses the complement of the code.
enum SortCode {
    /// Appends the codes of a vector, complemented for a descending key.
    static func append(
        _ vector: ColumnVector, isDescending: Bool, to codes: inout [UInt64]
    ) {
        let start = codes.count
        append(vector, to: &codes)
        guard isDescending else { return }
        for row in start..<codes.count { codes[row] = ~codes[row] }
    }

    /// Appends the codes of a vector.
    static func append(_ vector: ColumnVector, to codes: inout [UInt64]) {
        let start = codes.count
        switch vector.kind {
        case .bool:
            for row in 0..<vector.count { codes.append(vector.ints[row] == 0 ? 1 : 2) }
        case .double, .float:
            for row in 0..<vector.count { codes.append(code(vector.doubles[row])) }
        case .string, .data:
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
        case .int:
            for row in 0..<vector.count {
                codes.append(max(1, UInt64(bitPattern: vector.ints[row]) ^ (1 << 63)))
            }
        default:
            for row in 0..<vector.count {
                let value = vector.value(at: row)
                codes.append((vector.kind == .any ? any(value) : code(of: value)) ?? 0)
            }
        }
        guard !vector.nulls.isEmpty else { return }
        for row in 0..<vector.count where vector.isNull(row) { codes[start + row] = 0 }
    }

    /// Returns whether only equal values have this code.
    ///
    /// The answer depends only on the code itself, not on the rows that it is compared with.
    static func isExact(_ code: UInt64, _ kind: ValueTag) -> Bool {
        switch kind {
        case .string, .data: code & 0xFF != longString
        case .date: code != 1 && code != .max
        case .int: code != 1
        case .decimal128: code == 0 || isExact(decimal: code)
        case .bool, .float, .double: true
        // Only the code of null is exact.
        default: code == 0
        }
    }

    /// The number of bytes of a string in its code.
    static let textByteCount = 7

    /// The last byte of the code of a string of more than 7 bytes.
    private static let longString: UInt64 = 9

    /// Returns the code of a value in a column of any kind except Any; `nil` for null and
    /// collections.
    ///
    /// The code of a zone map's minimum (or maximum) is not above (or below) the codes of the
    /// values in the zone.
    static func code(of value: Value) -> UInt64? {
        switch value {
        case .bool(let flag): return flag ? 2 : 1
        case .int(let number): return max(1, UInt64(bitPattern: number) ^ (1 << 63))
        case .double(let number): return code(number)
        case .float(let number): return code(Double(number))
        case .date(let date):
            return code(seconds: date.seconds, nanoseconds: date.nanoseconds)
        case .string(let text):
            var text = text
            return text.withUTF8 { code($0) }
        case .data(let bytes): return bytes.withUnsafeBufferPointer { code($0) }
        case .uuid(let id): return max(1, id.high)
        case .objectID(let id): return max(1, id.high)
        case .decimal128(let number): return decimal(number)
        case .null, .link, .list, .set, .map: return nil
        }
    }

    /// Returns the value with a code, if it is unique and simple to derive: numbers other than NaN.
    static func value(of code: UInt64, _ kind: ValueTag) -> Value? {
        switch kind {
        case .int: return code > 1 ? .int(Int64(bitPattern: code ^ (1 << 63))) : nil
        case .double, .float:
            guard code > 0, code < .max else { return nil }
            return .double(Double(bitPattern: code >> 63 == 1 ? code ^ (1 << 63) : ~code))
        default: return nil
        }
    }

    static func code(_ number: Double) -> UInt64 {
        if number.isNaN { return .max }
        let bits = (number == 0 ? 0.0 : number).bitPattern
        return bits >> 63 == 1 ? ~bits : bits | 1 << 63
    }

    /// Returns the code of a text, or of the part that follows an earlier code.
    static func code(_ text: UnsafeBufferPointer<UInt8>) -> UInt64 {
        var code: UInt64 = 0
        for index in 0..<textByteCount {
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
