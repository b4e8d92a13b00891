import FirnCodec
import FirnValues

/// The keys of rows as bytes that sort like the rows, for sorted runs in a file.
///
///     key      one part per sort key
///     part     the code, 8 bytes, most significant first; if it is not exact, the tail
///     tail     int        8 bytes, sign flipped
///              date       8 bytes of seconds, sign flipped, 4 of nanoseconds
///              string     the bytes behind those of the code, 0 as 0 1; ends with 0 0; data too
///              uuid       16 bytes; object ids 12
///
/// No tail is the beginning of another one of the same code, so that a part never decides in the
/// place of a later one. The bytes of a tail are complemented if the key is descending, as codes
/// already are.
struct SortKeyBytes {
    static let codeByteCount = 8

    private(set) var bytes: [UInt8] = []

    /// Returns whether there is a tail for all values of a kind.
    static func supports(_ kind: ValueTag) -> Bool {
        switch kind {
        case .bool, .int, .float, .double, .date, .string, .data, .uuid, .objectID: true
        case .null, .decimal128, .any, .link, .list, .set, .map: false
        }
    }

    /// Returns the keys of some rows, all of whose codes are exact, one after the other.
    static func codes(of indices: ArraySlice<UInt32>, _ rows: SortRows) -> [UInt8] {
        let width = codeByteCount * rows.columns.count
        return [UInt8](unsafeUninitializedCapacity: width * indices.count) { keys, count in
            for (number, column) in rows.columns.enumerated() {
                column.codes.withUnsafeBufferPointer { codes in
                    var position = number * codeByteCount
                    for index in indices {
                        UnsafeMutableRawBufferPointer(keys).storeBytes(
                            of: codes[Int(index)].bigEndian, toByteOffset: position,
                            as: UInt64.self)
                        position += width
                    }
                }
            }
            count = width * indices.count
        }
    }

    /// Replaces the key by that of a row.
    mutating func set(_ index: Int, of rows: SortRows) {
        bytes.removeAll(keepingCapacity: true)
        for (number, column) in rows.columns.enumerated() {
            let code = column.codes[index]
            append(code)
            guard !column.isExact(code), let (vector, row) = rows.location(number, index) else {
                continue
            }
            let start = bytes.count
            appendTail(vector.value(at: row))
            if column.key.descending {
                for position in start..<bytes.count { bytes[position] = ~bytes[position] }
            }
        }
    }

    private mutating func append(_ number: UInt64) {
        withUnsafeBytes(of: number.bigEndian) { bytes.append(contentsOf: $0) }
    }

    private mutating func append(_ number: Int64) {
        append(UInt64(bitPattern: number) ^ (1 << 63))
    }

    private mutating func appendTail(_ value: Value) {
        switch value {
        case .int(let number): append(number)
        case .date(let date):
            append(date.seconds)
            withUnsafeBytes(of: date.nanoseconds.bigEndian) { bytes.append(contentsOf: $0) }
        case .string(let text): appendText(text.utf8)
        case .data(let data): appendText(data)
        case .uuid(let id):
            append(id.high)
            append(id.low)
        case .objectID(let id):
            append(id.high)
            withUnsafeBytes(of: id.low.bigEndian) { bytes.append(contentsOf: $0) }
        // Their codes are exact, or the kind is not supported.
        case .null, .bool, .float, .double, .decimal128, .link, .list, .set, .map: break
        }
    }

    /// Appends the bytes of a text behind the first seven, which its code has.
    private mutating func appendText(_ text: some Collection<UInt8>) {
        for byte in text.dropFirst(7) {
            bytes.append(byte)
            if byte == 0 { bytes.append(1) }
        }
        bytes.append(0)
        bytes.append(0)
    }
}
