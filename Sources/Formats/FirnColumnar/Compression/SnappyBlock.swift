import FirnValues

/// Snappy blocks, read and written here.
///
/// The format has three instructions: the code is shorter than what the build, the packages and the
/// set-up of a machine would need for one more library.
///
///     block    varint(size) instruction*
///     literal  [length - 1 : 6][00]         the length if below 61, else 1-4 bytes of it follow
///     copy     [offset >> 8 : 3][length - 4 : 3][01] offset
///     copy     [length - 1 : 6][10] offset, 2 bytes
///     copy     [length - 1 : 6][11] offset, 4 bytes
enum SnappyBlock {
    /// Decompresses a block.
    ///
    /// - Returns: whether the block is valid and has exactly the size of the output.
    static func decompress(
        _ input: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer
    ) -> Bool {
        guard let target = output.baseAddress else { return false }
        var position = 0
        var claimed = 0
        var shift = 0
        while true {
            guard position < input.count, shift < 35 else { return false }
            claimed |= Int(input[position] & 0x7F) << shift
            shift += 7
            position += 1
            if input[position - 1] < 0x80 { break }
        }
        guard claimed == output.count else { return false }
        var written = 0
        while position < input.count {
            let tag = Int(input[position])
            position += 1
            if tag & 3 == 0 {
                var length = tag >> 2
                if length >= 60 {
                    let byteCount = length - 59
                    guard byteCount <= input.count - position else { return false }
                    length = 0
                    for index in 0..<byteCount {
                        length |= Int(input[position + index]) << (8 * index)
                    }
                    position += byteCount
                }
                length += 1
                guard length <= input.count - position, length <= output.count - written,
                    let source = input.baseAddress
                else { return false }
                (target + written).copyMemory(from: source + position, byteCount: length)
                position += length
                written += length
            } else {
                guard let copy = copy(tag, input, &position), copy.offset > 0,
                    copy.offset <= written, copy.length <= output.count - written
                else { return false }
                repeatBytes(target + written, offset: copy.offset, length: copy.length)
                written += copy.length
            }
        }
        return written == output.count
    }

    @inline(__always)
    private static func copy(
        _ tag: Int, _ input: UnsafeRawBufferPointer, _ position: inout Int
    ) -> (offset: Int, length: Int)? {
        let byteCount = tag & 3 == 1 ? 1 : tag & 3 == 2 ? 2 : 4
        guard byteCount <= input.count - position else { return nil }
        var offset = 0
        for index in 0..<byteCount { offset |= Int(input[position + index]) << (8 * index) }
        position += byteCount
        return tag & 3 == 1
            ? (offset | (tag >> 5) << 8, (tag >> 2 & 7) + 4) : (offset, (tag >> 2) + 1)
    }

    @inline(__always)
    private static func repeatBytes(_ target: UnsafeMutableRawPointer, offset: Int, length: Int) {
        if offset >= length {
            target.copyMemory(from: target - offset, byteCount: length)
        } else {
            // The copy includes bytes that it writes.
            let bytes = target.assumingMemoryBound(to: UInt8.self)
            for index in 0..<length { bytes[index] = bytes[index - offset] }
        }
    }

    // MARK: Writing

    /// Returns the maximum number of bytes that a block can need.
    static func compressedBytesMax(_ byteCount: Int) -> Int { 32 + byteCount + byteCount / 6 }

    /// The size of a piece; matches are searched for within a piece, so that offsets have two
    /// bytes.
    private static let pieceBytes = 1 << 16
    private static let tableBits = 14

    /// Compresses a block into memory of ``compressedBytesMax(_:)`` bytes.
    ///
    /// - Returns: the number of bytes.
    static func compress(_ input: UnsafeRawBufferPointer, to output: UnsafeMutableRawPointer) -> Int
    {
        var writer = Writer(target: output.assumingMemoryBound(to: UInt8.self))
        var rest = input.count
        while rest >= 0x80 {
            writer.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        writer.append(UInt8(rest))
        guard let source = input.baseAddress else { return writer.count }
        withUnsafeTemporaryAllocation(of: UInt16.self, capacity: 1 << tableBits) { table in
            var start = 0
            while start < input.count {
                let size = min(pieceBytes, input.count - start)
                table.initialize(repeating: 0)
                compressPiece(source + start, size, table, &writer)
                start += size
            }
        }
        return writer.count
    }

    private static func compressPiece(
        _ source: UnsafeRawPointer, _ size: Int, _ table: UnsafeMutableBufferPointer<UInt16>,
        _ writer: inout Writer
    ) {
        var position = 1
        var literalStart = 0
        var misses = 32
        while position + 8 <= size {
            let word = source.loadUnaligned(fromByteOffset: position, as: UInt32.self)
            let slot = Int((word &* 0x1E35_A7BD) >> UInt32(32 - tableBits))
            let candidate = Int(table[slot])
            table[slot] = UInt16(truncatingIfNeeded: position)
            guard candidate < position,
                source.loadUnaligned(fromByteOffset: candidate, as: UInt32.self) == word
            else {
                // The longer nothing matches, the larger the steps.
                position += misses >> 5
                misses += 1
                continue
            }
            var length = 4
            while position + length < size,
                source.load(fromByteOffset: position + length, as: UInt8.self)
                    == source.load(fromByteOffset: candidate + length, as: UInt8.self)
            {
                length += 1
            }
            writer.appendLiteral(source + literalStart, position - literalStart)
            writer.appendCopy(offset: position - candidate, length: length)
            position += length
            literalStart = position
            misses = 32
        }
        writer.appendLiteral(source + literalStart, size - literalStart)
    }

    private struct Writer {
        let target: UnsafeMutablePointer<UInt8>
        var count = 0

        @inline(__always)
        mutating func append(_ byte: UInt8) {
            target[count] = byte
            count += 1
        }

        mutating func appendLiteral(_ source: UnsafeRawPointer, _ length: Int) {
            guard length > 0 else { return }
            if length <= 60 {
                append(UInt8(length - 1) << 2)
            } else if length <= 256 {
                append(60 << 2)
                append(UInt8(length - 1))
            } else {
                append(61 << 2)
                append(UInt8(truncatingIfNeeded: length - 1))
                append(UInt8(truncatingIfNeeded: (length - 1) >> 8))
            }
            UnsafeMutableRawPointer(target + count).copyMemory(from: source, byteCount: length)
            count += length
        }

        mutating func appendCopy(offset: Int, length: Int) {
            var rest = length
            while rest > 0 {
                // Copies of at least 1 byte and at most 64.
                let part = min(rest, 64)
                append(UInt8(part - 1) << 2 | 2)
                append(UInt8(truncatingIfNeeded: offset))
                append(UInt8(truncatingIfNeeded: offset >> 8))
                rest -= part
            }
        }
    }
}
