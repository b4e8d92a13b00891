import FirnValues

/// A cursor over untrusted bytes.
///
/// Missing or malformed data throws an error with its offset.
///
///     u8 u16 u32 u64   little endian
///     varint           7 bits per byte, lowest first, bit 7 = more; the shortest form only
///     zigzag           varint of (n << 1) ^ (n >> 63)
///     string           varint length, UTF-8
///
/// It is public because the compiler inlines no package function into another module.
public struct ByteReader {
    /// The bytes.
    public let source: UnsafeRawBufferPointer
    @usableFromInline var position: Int

    /// Creates a cursor at the first byte.
    @inlinable
    public init(_ source: UnsafeRawBufferPointer) {
        self.source = source
        position = 0
    }

    /// The position of the next byte to read.
    @inlinable public var offset: Int { position }
    /// The number of bytes that were not read.
    @inlinable public var remaining: Int { source.count - position }
    /// Whether all bytes were read.
    @inlinable public var isAtEnd: Bool { position == source.count }

    /// Reads bytes without interpreting them.
    @inlinable @inline(__always)
    public mutating func bytes(_ count: Int) throws(CodecError) -> UnsafeRawBufferPointer {
        let start = try skip(count)
        return UnsafeRawBufferPointer(rebasing: source[start..<start &+ count])
    }

    /// Skips bytes.
    ///
    /// - Returns: the position at which they begin.
    @inlinable @inline(__always)
    public mutating func skip(_ count: Int) throws(CodecError) -> Int {
        guard count >= 0, count <= source.count &- position else { throw endsTooEarly() }
        position &+= count
        return position &- count
    }

    /// Reads a byte.
    @inlinable @inline(__always) public mutating func u8() throws(CodecError) -> UInt8 {
        try integer()
    }
    /// Reads two bytes.
    @inlinable @inline(__always) public mutating func u16() throws(CodecError) -> UInt16 {
        try integer()
    }
    /// Reads four bytes.
    @inlinable @inline(__always) public mutating func u32() throws(CodecError) -> UInt32 {
        try integer()
    }
    /// Reads eight bytes.
    @inlinable @inline(__always) public mutating func u64() throws(CodecError) -> UInt64 {
        try integer()
    }

    @inlinable @inline(__always)
    mutating func integer<T: FixedWidthInteger & BitwiseCopyable>() throws(CodecError) -> T {
        let start = try skip(MemoryLayout<T>.size)
        return T(littleEndian: source.loadUnaligned(fromByteOffset: start, as: T.self))
    }

    /// Reads an unsigned number of at most 64 bits.
    @inlinable @inline(__always)
    public mutating func varint() throws(CodecError) -> UInt64 {
        // Most varints have one byte.
        if position < source.count, source[position] < 0x80 {
            position &+= 1
            return UInt64(source[position &- 1])
        }
        if position &+ 1 < source.count, source[position &+ 1] &- 1 < 0x7F {
            position &+= 2
            return UInt64(source[position &- 2] & 0x7F) | UInt64(source[position &- 1]) &<< 7
        }
        return try longVarint()
    }

    /// Skips a varint of any length.
    @inlinable @inline(__always)
    public mutating func skipVarint() throws(CodecError) {
        while position < source.count {
            position &+= 1
            if source[position &- 1] < 0x80 { return }
        }
        throw endsTooEarly()
    }

    /// Reads a varint from eight bytes at once.
    ///
    /// The first byte whose highest bit is clear ends the number. The groups of seven bits are then
    /// moved together in three steps.
    @usableFromInline
    mutating func longVarint() throws(CodecError) -> UInt64 {
        let rest = source.count &- position
        guard source.count >= 8 else { return try varintByByte() }
        // Near the end, the load includes earlier bytes, which the shift removes.
        let start = min(position, source.count &- 8)
        let word =
            UInt64(littleEndian: source.loadUnaligned(fromByteOffset: start, as: UInt64.self))
            &>> UInt64(truncatingIfNeeded: 8 &* (position &- start))
        let ends = ~word & 0x8080_8080_8080_8080
        // All bits up to the end of the number; all 64 bits if it is longer.
        let counted = ends ^ (ends &- 1)
        let byteCount = (ends.trailingZeroBitCount &+ 1) / 8
        // The slow path also rejects a missing end, and a last byte of zero, which is not the
        // shortest form.
        guard ends != 0, byteCount <= rest, word & counted > counted &>> 8 else {
            return try varintByByte()
        }
        position &+= byteCount
        var bits = word & counted & 0x7F7F_7F7F_7F7F_7F7F
        bits = bits & 0x007F_007F_007F_007F | (bits & 0x7F00_7F00_7F00_7F00) &>> 1
        bits = bits & 0x0000_3FFF_0000_3FFF | (bits & 0x3FFF_0000_3FFF_0000) &>> 2
        return bits & 0x0000_0000_0FFF_FFFF | (bits & 0x0FFF_FFFF_0000_0000) &>> 4
    }

    private mutating func varintByByte() throws(CodecError) -> UInt64 {
        let start = position
        var value: UInt64 = 0
        var shift: UInt64 = 0
        while position < source.count {
            let byte = source[position]
            position &+= 1
            value |= UInt64(byte & 0x7F) &<< shift
            if byte < 0x80 {
                if byte == 0, shift > 0 {
                    throw CodecError(.corrupt, "number in a longer form", at: start)
                }
                // The tenth byte has room for only one bit.
                if shift == 63, byte > 1 { throw tooManyBits(start) }
                return value
            }
            if shift == 63 { throw tooManyBits(start) }
            shift &+= 7
        }
        throw endsTooEarly()
    }

    private func tooManyBits(_ start: Int) -> CodecError {
        corrupt("number of more than 64 bits", start)
    }

    @usableFromInline
    @inline(never)
    func corrupt(_ reason: String, _ start: Int) -> CodecError {
        CodecError(.corrupt, reason, at: start)
    }

    @usableFromInline
    @inline(never)
    func endsTooEarly() -> CodecError { corrupt("ends too early", position) }

    /// Reads a varint of at most 32 bits, such as a class id.
    @inlinable
    public mutating func varint32() throws(CodecError) -> UInt32 {
        let start = offset
        guard let value = UInt32(exactly: try varint()) else {
            throw corrupt("number of more than 32 bits", start)
        }
        return value
    }

    /// Reads a signed number of at most 64 bits.
    @inlinable @inline(__always)
    public mutating func zigzag() throws(CodecError) -> Int64 {
        let coded = try varint()
        return Int64(bitPattern: coded >> 1) ^ -Int64(bitPattern: coded & 1)
    }

    /// Reads a varint that must be at most `maximum`.
    @inlinable
    public mutating func count(max maximum: Int) throws(CodecError) -> Int {
        let start = offset
        let value = try varint()
        guard value <= UInt64(clamping: maximum) else {
            throw corrupt("number beyond its limit", start)
        }
        return Int(truncatingIfNeeded: value)
    }

    /// Reads a string of at most `maximum` bytes.
    package mutating func string(
        max maximum: Int = CodecLimits.pageRawBytesMax
    ) throws(CodecError) -> String {
        String(decoding: try utf8(try count(max: maximum)), as: UTF8.self)
    }

    /// Reads bytes that must be valid UTF-8.
    @inlinable @inline(__always)
    mutating func utf8(_ byteCount: Int) throws(CodecError) -> UnsafeRawBufferPointer {
        let bytes = try bytes(byteCount)
        if !isShortASCII(bytes) { try checkUTF8(bytes) }
        return bytes
    }

    /// Returns whether the bytes just read are at most eight and all ASCII.
    ///
    /// Tests eight bytes at once.
    @inlinable @inline(__always)
    func isShortASCII(_ bytes: UnsafeRawBufferPointer) -> Bool {
        let start = position &- bytes.count
        guard bytes.count <= 8, source.count &- start >= 8 else { return false }
        let word = UInt64(
            littleEndian: source.loadUnaligned(fromByteOffset: start, as: UInt64.self))
        // The shift removes bytes that are not part of the text. A shift by 64 leaves nothing.
        return word << (64 - 8 * bytes.count) & 0x8080_8080_8080_8080 == 0
    }

    @usableFromInline
    func checkUTF8(_ bytes: UnsafeRawBufferPointer) throws(CodecError) {
        guard UTF8Validation.isValid(bytes) else {
            throw CodecError(.corrupt, "text that is not UTF-8", at: offset - bytes.count)
        }
    }

    /// Checks that all bytes were read.
    package func finish() throws(CodecError) {
        if !isAtEnd { throw CodecError(.corrupt, "more bytes than expected", at: offset) }
    }
}
