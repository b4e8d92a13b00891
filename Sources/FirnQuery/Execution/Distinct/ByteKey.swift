import FirnValues

/// Values as bytes that are equal exactly when the values are equal to `DISTINCT`: null equals
/// null, both zeros are one value, every NaN is one value.
///
///     null    00
///     else    01, then 8 bytes (bool, int, double) or 12 bytes (date), or the length as 8 bytes
///             and the UTF-8 of a string
enum ByteKey {
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
        append(canonical(number).bitPattern, to: &key)
    }

    /// The one of all doubles that are equal here.
    static func canonical(_ number: Double) -> Double {
        number.isNaN ? .nan : (number == 0 ? 0 : number)
    }

    private static func append(_ number: UInt64, to key: inout [UInt8]) {
        withUnsafeBytes(of: number.littleEndian) { key.append(contentsOf: $0) }
    }

    private static func append(nanoseconds: Int32, to key: inout [UInt8]) {
        withUnsafeBytes(of: nanoseconds.littleEndian) { key.append(contentsOf: $0) }
    }
}
