import FirnValues

/// Decodes integers that are stored as differences in packed blocks.
///
///     header   varint(block size) varint(miniblocks) varint(count) zigzag(first)
///     block    zigzag(least difference) width[miniblocks] packed differences
enum DeltaDecoder {
    /// Decodes all values of a page.
    ///
    /// - Parameters:
    ///   - cursor: moved after the last block.
    ///   - countMax: the number of values that the page may have.
    static func integers(
        _ cursor: inout ByteCursor, countMax: Int
    ) throws(ColumnarError) -> [Int64] {
        let blockSize = try cursor.varint()
        let miniblocks = try cursor.varint()
        let count = try cursor.varint()
        var value = try cursor.zigzag()
        guard miniblocks > 0, miniblocks <= 512, blockSize > 0, blockSize <= 1 << 20,
            blockSize % (miniblocks * 8) == 0
        else {
            throw .damaged("differences are in blocks of \(blockSize) with \(miniblocks) parts")
        }
        guard count <= UInt64(countMax) else {
            throw .damaged("\(count) differences are in a page of \(countMax) values")
        }
        guard count > 0 else { return [] }
        let perMiniblock = Int(blockSize / miniblocks)
        var values: [Int64] = []
        values.reserveCapacity(Int(count))
        values.append(value)
        while values.count < Int(count) {
            let least = try cursor.zigzag()
            let widths = try cursor.take(Int(miniblocks))
            for miniblock in 0..<Int(miniblocks) where values.count < Int(count) {
                let width = Int(widths.base.load(fromByteOffset: miniblock, as: UInt8.self))
                guard width <= 64 else { throw .damaged("differences have \(width) bits") }
                // The last miniblock may be cut off after its last value.
                let used = min(perMiniblock, Int(count) - values.count)
                let whole = perMiniblock * width / 8
                let needed = (used * width + 7) / 8
                let bytes = try cursor.take(cursor.count < whole ? needed : whole)
                unpack(bytes.base, width: width, count: used, least, &value, &values)
            }
        }
        return values
    }

    private static func unpack(
        _ base: UnsafeRawPointer, width: Int, count: Int, _ least: Int64, _ value: inout Int64,
        _ values: inout [Int64]
    ) {
        let mask = width == 64 ? UInt64.max : (1 << UInt64(width)) - 1
        var bit = 0
        for _ in 0..<count {
            let shift = UInt64(bit & 7)
            var word =
                UInt64(littleEndian: base.loadUnaligned(fromByteOffset: bit >> 3, as: UInt64.self))
                >> shift
            if shift > 0, width > 56 {
                let next = base.load(fromByteOffset: bit >> 3 + 8, as: UInt8.self)
                word |= UInt64(next) << (64 - shift)
            }
            value = value &+ least &+ Int64(bitPattern: word & mask)
            values.append(value)
            bit += width
        }
    }

    /// Decodes the lengths of texts, one for each.
    static func lengths(
        _ cursor: inout ByteCursor, countMax: Int
    ) throws(ColumnarError) -> [Int64] {
        let lengths = try integers(&cursor, countMax: countMax)
        for length in lengths where length < 0 || length > Int64(Int32.max) {
            throw .damaged("a text has \(length) bytes")
        }
        return lengths
    }
}
