import FirnValues

/// The inner loops of filters, which turn codes into words of a bitmap.
///
/// 1,024 rows at a time are marked with one byte each, in a loop that the compiler vectorizes. Then
/// 8 bytes at a time become 8 bits by one multiplication:
///
///     byte i (0 or 1) is at bit 8 i; multiplied by the sum of 2^(56 - 7 i) it is at bit 56 + i
enum LaneFilter {
    static let chunkRows = 1_024
    private static let gatherBits: UInt64 = 0x0102_0408_1020_4080

    typealias Words = UnsafeMutableBufferPointer<UInt64>
    typealias Flags = UnsafeMutablePointer<UInt8>

    /// Calls `mark` for each chunk with its first row and its size, and adds the marks to the
    /// words.
    @inline(__always)
    static func collect(
        rowCount: Int, into words: Words, _ mark: (_ start: Int, _ count: Int, Flags) -> Void
    ) {
        withUnsafeTemporaryAllocation(byteCount: chunkRows, alignment: 16) { scratch in
            let flags = scratch.bindMemory(to: UInt8.self)
            guard let base = flags.baseAddress, let target = words.baseAddress else { return }
            let raw = UnsafeRawPointer(base)
            var start = 0
            while start < rowCount {
                let count = min(chunkRows, rowCount &- start)
                mark(start, count, base)
                if count < chunkRows {
                    (base + count).update(repeating: 0, count: chunkRows &- count)
                }
                let wordCount = (count &+ 63) / 64
                for index in 0..<wordCount {
                    var word: UInt64 = 0
                    for part in 0..<8 {
                        let bytes = raw.loadUnaligned(
                            fromByteOffset: index &* 64 &+ part &* 8, as: UInt64.self)
                        let bits = (UInt64(littleEndian: bytes) &* gatherBits) &>> 56
                        word |= bits &<< UInt64(truncatingIfNeeded: part &* 8)
                    }
                    target[start / 64 &+ index] |= word
                }
                start &+= chunkRows
            }
        }
    }

    /// Adds the rows whose codes are selected.
    ///
    /// The words must be 0 initially.
    static func filter(
        _ lanes: CodeArray, rowCount: Int, maxCode: UInt64, _ selection: CodeSelection,
        into words: Words
    ) {
        if selection.ranges.count <= 3 {
            for range in selection.ranges { mark(lanes, rowCount, range, words) }
        } else if maxCode < UInt64(CodecLimits.smallCodesMax) {
            tabulate(lanes, rowCount, Int(truncatingIfNeeded: maxCode), selection, words)
        } else {
            var plain = selection
            plain.isInverted = false
            for row in 0..<rowCount where plain.contains(lanes[row]) {
                words[row &>> 6] |= 1 &<< UInt64(truncatingIfNeeded: row & 63)
            }
        }
        if selection.isInverted { invert(words) }
    }

    static func invert(_ words: Words) {
        for index in words.indices { words[index] = ~words[index] }
    }

    private static func mark(
        _ lanes: CodeArray, _ rowCount: Int, _ range: ClosedRange<UInt64>, _ words: Words
    ) {
        switch lanes {
        case .u8(let codes): mark(codes, rowCount, range, words)
        case .u16(let codes): mark(codes, rowCount, range, words)
        case .u32(let codes): mark(codes, rowCount, range, words)
        case .u64(let codes): mark(codes, rowCount, range, words)
        }
    }

    @inline(__always)
    private static func mark<T: FixedWidthInteger & UnsignedInteger>(
        _ codes: UnsafePointer<T>, _ rowCount: Int, _ range: ClosedRange<UInt64>, _ words: Words
    ) {
        // Ranges never exceed the largest code, which fits the integer type.
        let low = T(truncatingIfNeeded: range.lowerBound)
        let span = T(truncatingIfNeeded: range.upperBound - range.lowerBound)
        collect(rowCount: rowCount, into: words) { start, count, flags in
            let source = codes + start
            for index in 0..<count { flags[index] = source[index] &- low <= span ? 1 : 0 }
        }
    }

    /// Looks up each code in a table of bytes.
    private static func tabulate(
        _ lanes: CodeArray, _ rowCount: Int, _ maxCode: Int, _ selection: CodeSelection,
        _ words: Words
    ) {
        var table = [UInt8](repeating: 0, count: maxCode + 1)
        for range in selection.ranges {
            let low = Int(truncatingIfNeeded: range.lowerBound)
            for code in low...Int(truncatingIfNeeded: range.upperBound) { table[code] = 1 }
        }
        table.withUnsafeBufferPointer { table in
            guard let table = table.baseAddress else { return }
            switch lanes {
            case .u8(let codes): look(codes, rowCount, table, words)
            case .u16(let codes): look(codes, rowCount, table, words)
            // Codes of at most 16 bits are always in a narrower array.
            case .u32, .u64: preconditionFailure("lanes wider than their codes")
            }
        }
    }

    @inline(__always)
    private static func look<T: FixedWidthInteger & UnsignedInteger>(
        _ codes: UnsafePointer<T>, _ rowCount: Int, _ table: UnsafePointer<UInt8>, _ words: Words
    ) {
        collect(rowCount: rowCount, into: words) { start, count, flags in
            for index in 0..<count {
                flags[index] = table[Int(truncatingIfNeeded: codes[start &+ index])]
            }
        }
    }

    /// Adds the rows whose number is between two bounds.
    ///
    /// NaN is never between them.
    static func filter(
        _ values: UnsafePointer<Double>, rowCount: Int, low: Double, high: Double,
        into words: Words
    ) {
        collect(rowCount: rowCount, into: words) { start, count, flags in
            let source = values + start
            for index in 0..<count {
                let value = source[index]
                // Bit casts, because conditions on doubles become branches, which triple the total
                // time for random values.
                flags[index] =
                    unsafeBitCast(value >= low, to: UInt8.self)
                    & unsafeBitCast(value <= high, to: UInt8.self)
            }
        }
    }
}
