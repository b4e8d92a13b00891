import FirnValues

/// Encodes integers as differences; see ``DeltaDecoder``.
enum DeltaEncoder {
    private static let blockSize = 128
    private static let miniblocks = 4
    private static let miniblockSize = 32

    /// - Parameter isNarrow: Whether the column has 32 bits. Its differences then wrap around at 32
    ///   bits: readers refuse a wider difference, or read another value.
    static func encode(
        _ values: UnsafeBufferPointer<Int64>, isNarrow: Bool, to output: ByteOutput
    ) {
        output.append(varint: UInt64(blockSize))
        output.append(varint: UInt64(miniblocks))
        output.append(varint: UInt64(values.count))
        output.append(zigzag: values.first ?? 0)
        guard var previous = values.first else { return }
        var start = 1
        withUnsafeTemporaryAllocation(of: Int64.self, capacity: blockSize) { differences in
            while start < values.count {
                let count = min(blockSize, values.count - start)
                var least = Int64.max
                for index in 0..<count {
                    let value = values[start + index]
                    var difference = value &- previous
                    if isNarrow { difference = Int64(Int32(truncatingIfNeeded: difference)) }
                    differences[index] = difference
                    least = min(least, difference)
                    previous = value
                }
                append(UnsafeMutableBufferPointer(rebasing: differences[..<count]), least, output)
                start += count
            }
        }
    }

    private static func append(
        _ differences: UnsafeMutableBufferPointer<Int64>, _ least: Int64, _ output: ByteOutput
    ) {
        output.append(zigzag: least)
        let widths = output.count
        output.append(zeros: miniblocks)
        for miniblock in 0..<miniblocks {
            let start = miniblock * miniblockSize
            let count = min(miniblockSize, differences.count - start)
            guard count > 0 else { return }
            var all: UInt64 = 0
            for index in start..<start + count {
                all |= UInt64(bitPattern: differences[index] &- least)
            }
            let width = 64 - all.leadingZeroBitCount
            (output.base + widths + miniblock).storeBytes(of: UInt8(width), as: UInt8.self)
            pack(differences, start, count, width, least, output)
        }
    }

    private static func pack(
        _ differences: UnsafeMutableBufferPointer<Int64>, _ start: Int, _ count: Int,
        _ width: Int, _ least: Int64, _ output: ByteOutput
    ) {
        let byteCount = miniblockSize * width / 8
        let target = output.room(byteCount + 8)
        target.initializeMemory(as: UInt8.self, repeating: 0, count: byteCount + 8)
        var bit = 0
        for index in start..<start + count {
            let value = UInt64(bitPattern: differences[index] &- least)
            let byte = bit >> 3
            let shift = UInt64(bit & 7)
            let word =
                UInt64(littleEndian: target.loadUnaligned(fromByteOffset: byte, as: UInt64.self))
                | value << shift
            target.storeBytes(of: word.littleEndian, toByteOffset: byte, as: UInt64.self)
            if shift > 0, width > 56 {
                let rest = UInt8(truncatingIfNeeded: value >> (64 - shift))
                target.storeBytes(of: rest, toByteOffset: byte + 8, as: UInt8.self)
            }
            bit += width
        }
        output.advance(byteCount)
    }
}
