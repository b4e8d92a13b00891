import FirnCodec
import FirnValues

/// The encoding of values in the key of an entry of an index: bytes in the order of the values.
///
///     entry    the values of its properties, one after the other, and u64 row id, big endian
///     nil      0
///     value    1, and
///       bool       u8
///       int        8 bytes big endian, with the sign bit flipped; a link is the row id of its target
///       double     8 bytes big endian: the sign bit of numbers from 0 on is flipped, all bits of
///                  those below it; -0 is 0, and there is one NaN, which is the greatest
///       date       the seconds like an int, u32 nanoseconds big endian
///       decimal    u8 sign (0 below zero, 1 zero, 2 above, 3 NaN); for numbers other than zero u16
///                  exponent of 0.digits, big endian, and the digits in pairs, each pair plus 1 in a
///                  byte, and 0; all of it inverted for numbers below zero
///       text,      the bytes, of which 0 is written as 0 FF, and 0 1; bytes after the 512th are left
///       data       out, and 0 FE follows instead
///       uuid       16 bytes big endian
///       object id  12 bytes big endian
///
/// No encoding is the beginning of another one, so that the order of several values is that of the
/// bytes, and the entries of a value are those that begin with its key. A text that was cut comes after
/// the text of exactly 512 bytes, and before all that are greater within these.
enum IndexKey {
    /// The maximum number of bytes of a text or of data in a key.
    static let textByteCountMaximum = 512
    /// The byte after the 0 at the end of a text that was cut.
    static let cutMark: UInt8 = 0xFE
    /// The number of bytes of the row id at the end.
    static let rowByteCount = 8

    /// Appends the value of a row of a column.
    ///
    /// - Parameter textByteCountMax: The bytes after which a text is cut.
    /// - Returns: Whether the value is complete; a long text is not.
    @discardableResult
    static func append(
        _ vector: ColumnVector, _ row: Int, folding: Bool,
        textByteCountMax: Int = textByteCountMaximum, to key: inout [UInt8]
    ) -> Bool {
        if vector.isNull(row) {
            key.append(0)
            return true
        }
        key.append(1)
        switch vector.kind {
        case .bool: key.append(vector.ints[row] == 0 ? 0 : 1)
        case .int: append(number: vector.ints[row], to: &key)
        case .float, .double: append(double: vector.doubles[row], to: &key)
        case .date:
            append(number: vector.ints[row], to: &key)
            append(bigEndian: UInt32(truncatingIfNeeded: vector.nanoseconds[row]), to: &key)
        case .string, .data:
            return vector.withBytes(of: row) { bytes in
                guard folding, vector.kind == .string else {
                    return append(text: bytes, byteCountMax: textByteCountMax, to: &key)
                }
                return append(text: folded(bytes), byteCountMax: textByteCountMax, to: &key)
            }
        case .uuid, .objectID, .decimal128:
            append(fixed: vector.value(at: row), to: &key)
        case .null, .link, .any, .list, .set, .map:
            preconditionFailure("a column of this kind has no index")
        }
        return true
    }

    /// Returns a text in the form that a case-insensitive index stores.
    private static func folded(_ bytes: UnsafeBufferPointer<UInt8>) -> [UInt8] {
        TextPattern.folded(bytes, .caseInsensitive)
    }

    private static func append(fixed value: Value, to key: inout [UInt8]) {
        switch value {
        case .uuid(let id):
            append(bigEndian: id.high, to: &key)
            append(bigEndian: id.low, to: &key)
        case .objectID(let id):
            append(bigEndian: id.high, to: &key)
            append(bigEndian: id.low, to: &key)
        case .decimal128(let number): append(decimal: number, to: &key)
        default: break
        }
    }

    private static func append(number: Int64, to key: inout [UInt8]) {
        append(bigEndian: UInt64(bitPattern: number) ^ 1 << 63, to: &key)
    }

    private static func append(double: Double, to key: inout [UInt8]) {
        let number = double.isNaN ? Double.nan : double == 0 ? 0 : double
        let bits = number.bitPattern
        append(bigEndian: bits >> 63 == 0 ? bits ^ 1 << 63 : ~bits, to: &key)
    }

    private static func append(decimal: Decimal128, to key: inout [UInt8]) {
        let number = decimal.normalized
        if number.isNaN { return key.append(3) }
        if number.isZero { return key.append(1) }
        let start = key.count
        key.append(2)
        if number.isFinite {
            var (exponent, digits) = number.decimalDigits
            append(bigEndian: UInt16(truncatingIfNeeded: exponent + 8_192), to: &key)
            if digits.count % 2 == 1 { digits.append(0) }
            for index in stride(from: 0, to: digits.count, by: 2) {
                key.append(digits[index] * 10 + digits[index + 1] + 1)
            }
            key.append(0)
        } else {
            append(bigEndian: UInt16.max, to: &key)
        }
        guard number.isNegative else { return }
        for index in start..<key.count { key[index] = ~key[index] }
        key[start] = 0
    }

    /// Appends a text or data.
    ///
    /// - Returns: Whether the text is complete.
    static func append(
        text: some Collection<UInt8>, byteCountMax: Int = textByteCountMaximum,
        to key: inout [UInt8]
    ) -> Bool {
        let isComplete = append(beginning: text, byteCountMax: byteCountMax, to: &key)
        key.append(0)
        key.append(isComplete ? 1 : cutMark)
        return isComplete
    }

    /// Appends the beginning that texts have in common.
    ///
    /// - Returns: Whether the beginning is complete.
    static func append(
        beginning text: some Collection<UInt8>, byteCountMax: Int = textByteCountMaximum,
        to key: inout [UInt8]
    ) -> Bool {
        for byte in text.prefix(byteCountMax) {
            key.append(byte)
            if byte == 0 { key.append(0xFF) }
        }
        return text.count <= byteCountMax
    }

    static func append(bigEndian value: some FixedWidthInteger, to key: inout [UInt8]) {
        withUnsafeBytes(of: value.bigEndian) { key.append(contentsOf: $0) }
    }

    /// Skips a value that is not nil.
    static func skip(_ kind: ValueTag, _ key: inout Slice<UnsafeRawBufferPointer>) {
        switch kind {
        case .bool: key = key.dropFirst(1)
        case .int, .float, .double: key = key.dropFirst(8)
        case .date, .objectID: key = key.dropFirst(12)
        case .uuid: key = key.dropFirst(16)
        case .decimal128:
            guard let sign = key.popFirst(), sign != 1, sign != 3 else { return }
            let end: UInt8 = sign == 0 ? 0xFF : 0
            let exponent = key.prefix(2)
            key = key.dropFirst(2)
            // An infinity has no digits.
            if exponent.allSatisfy({ $0 == ~end }) { return }
            while let byte = key.popFirst(), byte != end {}
        case .string, .data:
            while let byte = key.popFirst() {
                if byte == 0, key.popFirst() != 0xFF { return }
            }
        case .null, .link, .any, .list, .set, .map: break
        }
    }

    /// Returns the row of an entry.
    static func row(of key: UnsafeRawBufferPointer) -> RowID? {
        guard key.count >= rowByteCount else { return nil }
        return RowID(
            UInt64(
                bigEndian: key.loadUnaligned(
                    fromByteOffset: key.count - rowByteCount, as: UInt64.self)))
    }
}

extension Decimal128 {
    /// The digits of a finite number other than zero without trailing zeros, and the exponent of
    /// `0.digits`.
    fileprivate var decimalDigits: (exponent: Int, digits: [UInt8]) {
        var digits: [UInt8] = []
        var (rest, exponent) = parts
        while rest != 0 {
            digits.append(UInt8(truncatingIfNeeded: rest % 10))
            rest /= 10
        }
        exponent += digits.count
        let significant = digits.drop { $0 == 0 }
        return (exponent, significant.reversed())
    }
}
