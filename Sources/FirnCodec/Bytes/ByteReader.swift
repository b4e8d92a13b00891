/// A cursor over bytes that nobody vouches for: whatever is not there or not well formed is an
/// error with its offset.
///
///     u8 u16 u32 u64   little endian
///     varint           7 bits per byte, lowest first, bit 7 = more; the shortest form only
///     zigzag           varint of (n << 1) ^ (n >> 63)
///     string           varint length, UTF-8
package struct ByteReader {
    package let source: UnsafeRawBufferPointer
    /// Where the next byte is read.
    package private(set) var offset: Int

    package init(_ source: UnsafeRawBufferPointer) {
        self.source = source
        offset = 0
    }

    package var remaining: Int { source.count - offset }
    package var isAtEnd: Bool { offset == source.count }

    /// Takes the next bytes as they are.
    package mutating func bytes(_ count: Int) throws(CodecError) -> UnsafeRawBufferPointer {
        guard count >= 0, count <= remaining else {
            throw CodecError(.corrupt, "ends too early", at: offset)
        }
        let slice = UnsafeRawBufferPointer(rebasing: source[offset..<offset + count])
        offset += count
        return slice
    }

    package mutating func u8() throws(CodecError) -> UInt8 { try integer() }
    package mutating func u16() throws(CodecError) -> UInt16 { try integer() }
    package mutating func u32() throws(CodecError) -> UInt32 { try integer() }
    package mutating func u64() throws(CodecError) -> UInt64 { try integer() }

    private mutating func integer<T: FixedWidthInteger>() throws(CodecError) -> T {
        let slice = try bytes(MemoryLayout<T>.size)
        return T(littleEndian: slice.loadUnaligned(as: T.self))
    }

    package mutating func varint() throws(CodecError) -> UInt64 {
        // Most are short.
        if offset < source.count, source[offset] < 0x80 {
            offset += 1
            return UInt64(source[offset - 1])
        }
        let start = offset
        var value: UInt64 = 0
        var shift: UInt64 = 0
        while true {
            let byte = try u8()
            // The tenth byte has room for one bit only.
            if shift == 63, byte > 1 {
                throw CodecError(.corrupt, "number of more than 64 bits", at: start)
            }
            value |= UInt64(byte & 0x7F) &<< shift
            if byte & 0x80 == 0 {
                if byte == 0, shift > 0 {
                    throw CodecError(.corrupt, "number in a longer form", at: start)
                }
                return value
            }
            shift += 7
        }
    }

    /// Reads a varint of at most 32 bits, such as the identity of a class.
    package mutating func varint32() throws(CodecError) -> UInt32 {
        let start = offset
        guard let value = UInt32(exactly: try varint()) else {
            throw CodecError(.corrupt, "number of more than 32 bits", at: start)
        }
        return value
    }

    package mutating func zigzag() throws(CodecError) -> Int64 {
        let coded = try varint()
        return Int64(bitPattern: coded >> 1) ^ -Int64(bitPattern: coded & 1)
    }

    /// Reads a varint that must be at most `maximum`.
    package mutating func count(max maximum: Int) throws(CodecError) -> Int {
        let start = offset
        let value = try varint()
        guard value <= UInt64(clamping: maximum) else {
            throw CodecError(.corrupt, "number beyond its limit", at: start)
        }
        return Int(truncatingIfNeeded: value)
    }

    /// Reads a string of at most `maximum` bytes.
    package mutating func string(
        max maximum: Int = CodecLimits.pageRawBytesMax
    ) throws(CodecError) -> String {
        let slice = try bytes(try count(max: maximum))
        guard UTF8Validation.isValid(slice) else {
            throw CodecError(.corrupt, "text that is not UTF-8", at: offset - slice.count)
        }
        return String(decoding: slice, as: UTF8.self)
    }

    /// Checks that everything was read.
    package func finish() throws(CodecError) {
        if !isAtEnd { throw CodecError(.corrupt, "more bytes than expected", at: offset) }
    }
}
