import FirnValues

/// Writes the forms that ``ByteReader`` reads.
package struct ByteWriter {
    package private(set) var bytes: [UInt8] = []

    package init() {}

    package init(reserving capacity: Int) { bytes.reserveCapacity(capacity) }

    /// Creates a writer that appends to existing bytes.
    package init(continuing bytes: [UInt8]) { self.bytes = bytes }

    package var count: Int { bytes.count }

    package mutating func u8(_ value: UInt8) { bytes.append(value) }
    package mutating func u16(_ value: UInt16) { integer(value) }
    package mutating func u32(_ value: UInt32) { integer(value) }
    package mutating func u64(_ value: UInt64) { integer(value) }

    private mutating func integer(_ value: some FixedWidthInteger) {
        withUnsafeBytes(of: value.littleEndian) { bytes.append(contentsOf: $0) }
    }

    package mutating func varint(_ value: UInt64) {
        var rest = value
        while rest >= 0x80 {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(truncatingIfNeeded: rest))
    }

    package mutating func zigzag(_ value: Int64) {
        varint(UInt64(bitPattern: value << 1 ^ value >> 63))
    }

    package mutating func bytes(_ source: UnsafeRawBufferPointer) {
        bytes.append(contentsOf: source)
    }

    package mutating func bytes(_ source: [UInt8]) { bytes.append(contentsOf: source) }

    package mutating func string(_ text: String) {
        var text = text
        text.withUTF8 { utf8 in
            varint(UInt64(utf8.count))
            bytes.append(contentsOf: utf8)
        }
    }

    /// Removes the bytes after an offset.
    package mutating func truncate(to count: Int) { bytes.removeLast(bytes.count - count) }

    /// Removes all bytes, and keeps the memory.
    package mutating func removeAll() { bytes.removeAll(keepingCapacity: true) }
}
