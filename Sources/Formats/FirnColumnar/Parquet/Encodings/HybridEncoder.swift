import FirnValues

/// Encodes numbers of a fixed width; see ``HybridDecoder``.
enum HybridEncoder {
    /// The minimum length of a run; shorter runs are packed, because a header costs more.
    private static let runMin = 8

    /// Returns the number of bits that the numbers up to a maximum need.
    static func width(max: Int) -> Int { max <= 0 ? 0 : Int.bitWidth - max.leadingZeroBitCount }

    static func encode(
        _ values: UnsafeBufferPointer<UInt32>, width: Int, to output: ByteOutput
    ) {
        var packedStart = 0
        var position = 0
        let count = values.count
        while position < count {
            let value = values[position]
            var end = position + 1
            while end < count, values[end] == value { end += 1 }
            // Packed groups are whole except at the end: a run gives up what completes the group.
            let missing = (8 - (position - packedStart) & 7) & 7
            if end - position - missing >= runMin {
                let runStart = position + missing
                pack(values, packedStart..<runStart, width, output)
                output.append(varint: UInt64(end - runStart) << 1)
                for byte in 0..<((width + 7) / 8) {
                    output.append(byte: UInt8(truncatingIfNeeded: value >> UInt32(8 * byte)))
                }
                packedStart = end
            }
            position = end
        }
        pack(values, packedStart..<count, width, output)
    }

    /// Encodes levels, which have at most 8 bits.
    static func encode(levels: [UInt8], max: Int, to output: ByteOutput) {
        let wide = levels.map { UInt32($0) }
        wide.withUnsafeBufferPointer { encode($0, width: width(max: max), to: output) }
    }

    private static func pack(
        _ values: UnsafeBufferPointer<UInt32>, _ range: Range<Int>, _ width: Int,
        _ output: ByteOutput
    ) {
        guard !range.isEmpty else { return }
        let groups = (range.count + 7) / 8
        output.append(varint: UInt64(groups) << 1 | 1)
        let byteCount = groups * width
        let target = output.room(byteCount + 8)
        var word: UInt64 = 0
        var bits = 0
        var written = 0
        for index in range {
            word |= UInt64(values[index]) << UInt64(bits)
            bits += width
            if bits >= 32 {
                target.storeBytes(
                    of: UInt32(truncatingIfNeeded: word).littleEndian, toByteOffset: written,
                    as: UInt32.self)
                written += 4
                word >>= 32
                bits -= 32
            }
        }
        target.storeBytes(of: word.littleEndian, toByteOffset: written, as: UInt64.self)
        // The values that complete the last group are zeros.
        written += (bits + 7) / 8
        while written < byteCount {
            target.storeBytes(of: 0, toByteOffset: written, as: UInt8.self)
            written += 1
        }
        output.advance(byteCount)
    }
}
