import FirnValues

/// A checked reader of little-endian numbers in memory that the caller keeps.
///
/// The memory has ``ByteBlock/paddingBytes`` readable bytes after its end.
struct ByteCursor {
    private(set) var base: UnsafeRawPointer
    private(set) var count: Int

    /// - Parameter block: the bytes, which must exist as long as the cursor.
    init(_ block: ByteBlock) {
        base = UnsafeRawPointer(block.base)
        count = block.count
    }

    private init(base: UnsafeRawPointer, count: Int) {
        self.base = base
        self.count = count
    }

    var isEmpty: Bool { count == 0 }
    var buffer: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: base, count: count) }

    private func check(_ byteCount: Int) throws(ColumnarError) {
        guard byteCount >= 0, byteCount <= count else {
            throw .damaged("\(byteCount) bytes are expected where \(count) remain")
        }
    }

    /// Returns the next bytes as a separate cursor.
    mutating func take(_ byteCount: Int) throws(ColumnarError) -> ByteCursor {
        try check(byteCount)
        let taken = ByteCursor(base: base, count: byteCount)
        base += byteCount
        count -= byteCount
        return taken
    }

    mutating func skip(_ byteCount: Int) throws(ColumnarError) { _ = try take(byteCount) }

    mutating func byte() throws(ColumnarError) -> UInt8 {
        try take(1).base.loadUnaligned(as: UInt8.self)
    }

    mutating func uint32() throws(ColumnarError) -> UInt32 {
        UInt32(littleEndian: try take(4).base.loadUnaligned(as: UInt32.self))
    }

    /// Reads a number with 7 bits per byte, lowest bits first.
    mutating func varint() throws(ColumnarError) -> UInt64 {
        var value: UInt64 = 0
        var shift: UInt64 = 0
        while shift < 64 {
            let next = try byte()
            value |= UInt64(next & 0x7F) << shift
            if next < 0x80 { return value }
            shift += 7
        }
        throw .damaged("a number has more than 10 bytes")
    }

    /// Reads a number whose lowest bit is the sign.
    mutating func zigzag() throws(ColumnarError) -> Int64 {
        let value = try varint()
        return Int64(bitPattern: value >> 1) ^ -Int64(bitPattern: value & 1)
    }
}
