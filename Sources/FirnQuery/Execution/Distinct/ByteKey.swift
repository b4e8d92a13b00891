import FirnCodec
import FirnValues

/// Values as bytes that are equal exactly when the values are equal to `DISTINCT`: null equals
/// null, both zeros are one value, every NaN is one value.
///
///     null    00
///     else    01, then 8 bytes (bool, int, double) or 12 bytes (date), or the length as 8 bytes
///             and the UTF-8 of a string
enum ByteKey {
    static func append(_ vector: ColumnVector, _ row: Int, to key: inout [UInt8]) {
        guard !vector.isNull(row) else { return key.append(0) }
        key.append(1)
        switch vector.kind {
        case .double: append(vector.doubles[row], to: &key)
        case .string:
            let range = Int(vector.offsets[row])..<Int(vector.offsets[row + 1])
            append(UInt64(range.count), to: &key)
            key.append(contentsOf: vector.bytes[range])
        case .date:
            append(UInt64(bitPattern: vector.ints[row]), to: &key)
            append(nanoseconds: vector.nanoseconds[row], to: &key)
        default: append(UInt64(bitPattern: vector.ints[row]), to: &key)
        }
    }

    static func append(_ value: Value, to key: inout [UInt8]) {
        switch value {
        case .null: return key.append(0)
        case .bool(let flag):
            key.append(1)
            append(UInt64(flag ? 1 : 0), to: &key)
        case .int(let number):
            key.append(1)
            append(UInt64(bitPattern: number), to: &key)
        case .double(let number):
            key.append(1)
            append(number, to: &key)
        case .date(let date):
            key.append(1)
            append(UInt64(bitPattern: date.seconds), to: &key)
            append(nanoseconds: date.nanoseconds, to: &key)
        default:
            key.append(1)
            let text = value.description.utf8
            append(UInt64(text.count), to: &key)
            key.append(contentsOf: text)
        }
    }

    private static func append(_ number: Double, to key: inout [UInt8]) {
        let canonical = number.isNaN ? Double.nan : (number == 0 ? 0 : number)
        append(canonical.bitPattern, to: &key)
    }

    private static func append(_ number: UInt64, to key: inout [UInt8]) {
        withUnsafeBytes(of: number.littleEndian) { key.append(contentsOf: $0) }
    }

    private static func append(nanoseconds: Int32, to key: inout [UInt8]) {
        withUnsafeBytes(of: nanoseconds.littleEndian) { key.append(contentsOf: $0) }
    }
}
