import FirnCodec
import FirnValues

/// The keys of rows as bytes that sort like the rows, for sorted runs in a file.
///
///     key      one part per sort key
///     part     the code, 8 bytes, most significant first; if it is not exact, the tail
///     tail     int        8 bytes, sign flipped
///              date       8 bytes of seconds, sign flipped, 4 of nanoseconds
///              string     the bytes after those of the code, 0 as 0 1; ends with 0 0; data too
///              uuid       16 bytes; object ids 12
///
/// No tail is the beginning of another one of the same code, so that a part never decides in the
/// place of a later one. The bytes of a tail are complemented if the key is descending, as codes
/// already are.
struct SortKeyBytes {
    static let codeByteCount = 8

    /// The keys, one after another.
    private(set) var bytes: [UInt8] = []
    /// The end of each key in ``bytes``.
    private(set) var ends: [Int] = []

    /// Returns whether all values of a kind have a tail.
    static func supports(_ kind: ValueTag) -> Bool {
        switch kind {
        case .bool, .int, .float, .double, .date, .string, .data, .uuid, .objectID: true
        case .null, .decimal128, .any, .link, .list, .set, .map: false
        }
    }

    /// Returns the keys of some rows, all of whose codes are exact, one after another.
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

    /// Replaces the keys with the keys of some rows.
    mutating func set(_ indices: ArraySlice<UInt32>, of rows: SortRows) {
        let parts = rows.columns.indices.map { SortKeyPart($0, of: indices, rows) }
        var sizes = [Int](repeating: 0, count: indices.count)
        for part in parts {
            for row in sizes.indices { sizes[row] += part.sizes[row] }
        }
        var byteCount = 0
        ends = sizes.map { size in
            byteCount += size
            return byteCount
        }
        var positions = zip(ends, sizes).map { $0 - $1 }
        bytes = [UInt8](unsafeUninitializedCapacity: byteCount) { keys, count in
            // The memory is trivial, and each part writes its bytes.
            let keys = UnsafeMutableBufferPointer(rebasing: keys[..<byteCount])
            for part in parts { part.write(to: keys, at: &positions) }
            count = byteCount
        }
    }
}
