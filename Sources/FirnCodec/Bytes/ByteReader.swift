/// A cursor over bytes that nobody vouches for: whatever is not there or not well formed is an
/// error with its offset.
///
///     u8 u16 u32 u64   little endian
///     varint           7 bits per byte, lowest first, bit 7 = more; the shortest form only
///     zigzag           varint of (n << 1) ^ (n >> 63)
///     string           varint length, UTF-8
package struct ByteReader {
    package let source: UnsafeRawBufferPointer
    @usableFromInline var position: Int

    @inlinable
    package init(_ source: UnsafeRawBufferPointer) {
        self.source = source
        position = 0
    }

    /// Where the next byte is read.
    @inlinable package var offset: Int { position }
    @inlinable package var remaining: Int { source.count - position }
    @inlinable package var isAtEnd: Bool { position == source.count }

    /// Takes the next bytes as they are.
    @inlinable @inline(__always)
    package mutating func bytes(_ count: Int) throws(CodecError) -> UnsafeRawBufferPointer {
        let start = try skip(count)
        return UnsafeRawBufferPointer(rebasing: source[start..<start &+ count])
    }

    /// Goes over the next bytes.
    ///
    /// - Returns: where they begin.
    @inlinable @inline(__always)
    package mutating func skip(_ count: Int) throws(CodecError) -> Int {
        guard count >= 0, count <= source.count &- position else { throw endsTooEarly() }
        position &+= count
        return position &- count
    }

    @inlinable @inline(__always) package mutating func u8() throws(CodecError) -> UInt8 {
        try integer()
    }
    @inlinable @inline(__always) package mutating func u16() throws(CodecError) -> UInt16 {
        try integer()
    }
    @inlinable @inline(__always) package mutating func u32() throws(CodecError) -> UInt32 {
        try integer()
    }
    @inlinable @inline(__always) package mutating func u64() throws(CodecError) -> UInt64 {
        try integer()
    }

    @inlinable @inline(__always)
    mutating func integer<T: FixedWidthInteger & BitwiseCopyable>() throws(CodecError) -> T {
        let start = try skip(MemoryLayout<T>.size)
        return T(littleEndian: source.loadUnaligned(fromByteOffset: start, as: T.self))
    }

    @inlinable @inline(__always)
    package mutating func varint() throws(CodecError) -> UInt64 {
        // Most are short.
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

    /// Goes over a varint of whatever length.
    @inlinable @inline(__always)
    package mutating func skipVarint() throws(CodecError) {
        while position < source.count {
            position &+= 1
            if source[position &- 1] < 0x80 { return }
        }
        throw endsTooEarly()
    }

    @usableFromInline
    mutating func longVarint() throws(CodecError) -> UInt64 {
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
                // The tenth byte has room for one bit only.
                if shift == 63, byte > 1 { throw tooManyBits(start) }
                return value
            }
            if shift == 63 { throw tooManyBits(start) }
            shift &+= 7
        }
        throw endsTooEarly()
    }

    private func tooManyBits(_ start: Int) -> CodecError {
        CodecError(.corrupt, "number of more than 64 bits", at: start)
    }

    @usableFromInline
    @inline(never)
    func endsTooEarly() -> CodecError { CodecError(.corrupt, "ends too early", at: position) }

    /// Reads a varint of at most 32 bits, such as the identity of a class.
    @inlinable
    package mutating func varint32() throws(CodecError) -> UInt32 {
        let start = offset
        guard let value = UInt32(exactly: try varint()) else {
            throw CodecError(.corrupt, "number of more than 32 bits", at: start)
        }
        return value
    }

    @inlinable @inline(__always)
    package mutating func zigzag() throws(CodecError) -> Int64 {
        let coded = try varint()
        return Int64(bitPattern: coded >> 1) ^ -Int64(bitPattern: coded & 1)
    }

    /// Reads a varint that must be at most `maximum`.
    @inlinable
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
        String(decoding: try utf8(try count(max: maximum)), as: UTF8.self)
    }

    /// Takes the next bytes, which must be a text.
    mutating func utf8(_ byteCount: Int) throws(CodecError) -> UnsafeRawBufferPointer {
        let bytes = try bytes(byteCount)
        guard UTF8Validation.isValid(bytes) else {
            throw CodecError(.corrupt, "text that is not UTF-8", at: offset - byteCount)
        }
        return bytes
    }

    /// Checks that everything was read.
    package func finish() throws(CodecError) {
        if !isAtEnd { throw CodecError(.corrupt, "more bytes than expected", at: offset) }
    }
}
