import FirnValues

/// Decodes numbers of a fixed width in runs: repeated ones, or groups of eight packed ones.
///
///     run      varint(header)
///     repeated header = count << 1, then one value in whole bytes
///     packed   header = groups << 1 | 1, then groups * width bytes
struct HybridDecoder {
    private var cursor: ByteCursor
    private let width: Int
    private let mask: UInt64
    private var repeatedCount = 0
    private var repeatedValue: UInt32 = 0
    private var packedCount = 0
    private var packed: ByteCursor
    /// The position in the packed bytes, in bits.
    private var bit = 0

    init(_ cursor: ByteCursor, width: Int) throws(ColumnarError) {
        guard width >= 0, width <= 32 else {
            throw .damaged("numbers have \(width) bits; at most 32 are allowed")
        }
        self.cursor = cursor
        self.width = width
        mask = (1 << UInt64(width)) - 1
        packed = cursor
    }

    /// Begins a run.
    private mutating func begin() throws(ColumnarError) {
        guard !cursor.isEmpty else {
            // A width of 0 needs no bytes.
            guard width == 0 else { throw .damaged("the page ends before its last value") }
            repeatedCount = .max
            repeatedValue = 0
            return
        }
        let header = try cursor.varint()
        guard header < 1 << 33 else { throw .damaged("a run has \(header >> 1) values") }
        if header & 1 == 0 {
            repeatedCount = Int(header >> 1)
            let bytes = try cursor.take((width + 7) / 8)
            // The bytes after the cursor are readable.
            repeatedValue = UInt32(
                truncatingIfNeeded: UInt64(
                    littleEndian: bytes.base.loadUnaligned(as: UInt64.self)) & mask)
        } else {
            packedCount = Int(header >> 1) * 8
            // The last group may be cut off.
            packed = try cursor.take(min(cursor.count, Int(header >> 1) * width))
            packedCount = width == 0 ? packedCount : min(packedCount, packed.count * 8 / width)
            bit = 0
        }
    }

    /// Decodes the next numbers.
    mutating func read(
        _ count: Int, into target: UnsafeMutablePointer<UInt32>
    ) throws(ColumnarError) {
        var done = 0
        while done < count {
            if repeatedCount > 0 {
                let part = min(repeatedCount, count - done)
                (target + done).update(repeating: repeatedValue, count: part)
                repeatedCount -= part
                done += part
            } else if packedCount > 0 {
                let part = min(packedCount, count - done)
                unpack(part, into: target + done)
                packedCount -= part
                done += part
            } else {
                try begin()
            }
        }
    }

    @inline(__always)
    private mutating func unpack(_ count: Int, into target: UnsafeMutablePointer<UInt32>) {
        let base = packed.base
        var bit = bit
        for index in 0..<count {
            let word = UInt64(
                littleEndian: base.loadUnaligned(fromByteOffset: bit >> 3, as: UInt64.self))
            target[index] = UInt32(truncatingIfNeeded: word >> UInt64(bit & 7) & mask)
            bit &+= width
        }
        self.bit = bit
    }

    /// Decodes the next levels, which have at most 8 bits.
    mutating func read(
        _ count: Int, intoLevels target: UnsafeMutablePointer<UInt8>
    ) throws(ColumnarError) {
        var done = 0
        while done < count {
            if repeatedCount > 0 {
                let part = min(repeatedCount, count - done)
                (target + done).update(
                    repeating: UInt8(truncatingIfNeeded: repeatedValue), count: part)
                repeatedCount -= part
                done += part
            } else if packedCount > 0 {
                let part = min(packedCount, count - done)
                for index in 0..<part {
                    let word = packed.base.loadUnaligned(
                        fromByteOffset: bit >> 3, as: UInt16.self)
                    target[done + index] = UInt8(
                        truncatingIfNeeded: UInt16(littleEndian: word) >> UInt16(bit & 7)
                            & UInt16(truncatingIfNeeded: mask))
                    bit += width
                }
                packedCount -= part
                done += part
            } else {
                try begin()
            }
        }
    }
}
