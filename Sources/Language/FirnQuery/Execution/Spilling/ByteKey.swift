import FirnCodec
import FirnValues

/// Values as bytes that are equal exactly when `DISTINCT` treats the values as equal.
///
/// Null equals null, both zeros are the same value, and so are all NaNs.
///
///     null    00
///     else    01, then 8 bytes (bool, int, double, float) or 12 bytes (date), or the length as 8
///             bytes and the bytes of the column: for decimals and Any, the bytes of the canonical
///             value among all values that are equal
enum ByteKey {
    /// Appends the bytes of a value.
    ///
    /// - Parameter kind: the kind of the column, which distinguishes a column of Any from one of
    ///   numbers.
    static func append(_ value: Value, kind: ValueTag, to key: inout [UInt8]) {
        if kind.isStoredAsBytes, !value.isNull {
            // Values read from a column never nest too deeply.
            let isDone: Void? = try? canonical(value, kind: kind).withColumnBytes(of: kind) {
                bytes in
                key.append(1)
                append(UInt64(bytes.count), to: &key)
                key.append(contentsOf: bytes)
            }
            precondition(isDone != nil, "a value of another kind than its column")
            return
        }
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
        case .float(let number):
            key.append(1)
            append(Double(number), to: &key)
        default: preconditionFailure("a column has no values of this kind")
        }
    }

    private static func append(_ number: Double, to key: inout [UInt8]) {
        append(canonical(number).bitPattern, to: &key)
    }

    /// Returns the canonical value among all doubles that are equal here.
    static func canonical(_ number: Double) -> Double {
        number.isNaN ? .nan : (number == 0 ? 0 : number)
    }

    /// Returns the canonical value among all values of a column that compare equal.
    static func canonical(_ value: Value, kind: ValueTag) -> Value {
        switch (kind, value) {
        case (.decimal128, .decimal128(let number)): .decimal128(number.normalized)
        case (.any, _): canonical(any: value)
        default: value
        }
    }

    /// Returns a number as an Int if possible, else as a Double if possible, else as a decimal.
    private static func canonical(any value: Value) -> Value {
        switch value {
        case .float(let number): return canonical(any: .double(Double(number)))
        case .double(let number):
            return Int64(exactly: number).map { .int($0) } ?? .double(canonical(number))
        case .decimal128(let number): return canonical(number)
        case .list(let values): return .list(values.map { canonical(any: $0) })
        case .set(let values): return .set(values.map { canonical(any: $0) })
        case .map(let entries): return .map(entries.mapValues { canonical(any: $0) })
        default: return value
        }
    }

    private static func canonical(_ number: Decimal128) -> Value {
        if let int = number.wholeNumber { return .int(int) }
        // If any double is equal to the number, it is the nearest one.
        let double = number.nearestDouble
        if number.isNaN { return .double(.nan) }
        let decimal = Value.decimal128(number.normalized)
        return decimal.order(relativeTo: .double(double)) == .equal ? .double(double) : decimal
    }

    private static func append(_ number: UInt64, to key: inout [UInt8]) {
        withUnsafeBytes(of: number.littleEndian) { key.append(contentsOf: $0) }
    }

    private static func append(nanoseconds: Int32, to key: inout [UInt8]) {
        withUnsafeBytes(of: nanoseconds.littleEndian) { key.append(contentsOf: $0) }
    }
}
