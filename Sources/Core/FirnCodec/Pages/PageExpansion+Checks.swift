import FirnValues

extension PageExpansion {
    /// Checks that the number of nulls matches the header, and that none is after the last row.
    func checkNulls(_ bytes: UnsafeRawPointer) throws(CodecError) {
        let wordCount = (rowCount + 63) / 64
        var population = 0
        for index in 0..<wordCount { population += bytes.u64(index * 8).nonzeroBitCount }
        let tail = rowCount & 63
        let behind = tail == 0 ? 0 : bytes.u64((wordCount - 1) * 8) >> UInt64(tail)
        guard population == nullCount, behind == 0 else {
            throw CodecError(.corrupt, "nulls are not as many as their page says")
        }
    }

    /// Checks that null rows have code 0.
    ///
    /// Code that ignores nulls relies on it.
    func checkNullRows(
        _ nulls: UnsafePointer<UInt64>, _ content: PageContent
    ) throws(CodecError) {
        for index in 0..<(rowCount + 63) / 64 {
            var rest = nulls[index]
            while rest != 0 {
                let row = index << 6 + rest.trailingZeroBitCount
                rest &= rest &- 1
                guard isZero(row, content) else {
                    throw CodecError(.corrupt, "null that has a value")
                }
            }
        }
    }

    private func isZero(_ row: Int, _ content: PageContent) -> Bool {
        switch content {
        case .constant: true
        case .packed(let codes), .decimal(let codes, _): codes.array[row] == 0
        case .pairs(let seconds, let nanoseconds):
            seconds.array[row] == 0 && nanoseconds.array[row] == 0
        case .fixed(let values): values[row].bitPattern == 0
        case .dictionary(let codes, _): codes[row] == 0
        case .heap(let strings): strings[row].isEmpty
        }
    }

    /// Adds up the differences of ascending codes.
    func ascending(
        _ frame: IntegerFrame, _ deltaWidth: Int, _ sections: inout BodySections,
        _ memory: PageMemory
    ) throws(CodecError) -> PackedCodes {
        guard nullCount == 0 else { throw CodecError(.corrupt, "ascending values with nulls") }
        let bytes = try sections.take(BitPacking.byteCount(rowCount, width: deltaWidth))
        let codes = UnsafeMutablePointer<UInt64>.allocate(capacity: max(rowCount, 1))
        defer { codes.deallocate() }
        BitPacking.unpack(bytes, width: deltaWidth, count: rowCount, into: codes)
        var sum: UInt64 = 0
        for index in 0..<rowCount {
            let (next, overflow) = sum.addingReportingOverflow(codes[index])
            guard !overflow, next <= frame.maxCode else {
                throw CodecError(.corrupt, "code beyond the largest of its page")
            }
            codes[index] = next
            sum = next
        }
        let array = CodeArray(
            narrowing: codes, count: rowCount, maxCode: frame.maxCode, into: memory)
        return PackedCodes(frame: frame, array: array)
    }
}

extension CodeArray {
    /// Copies codes that were already checked.
    init(
        narrowing codes: UnsafePointer<UInt64>, count: Int, maxCode: UInt64,
        into memory: PageMemory
    ) {
        if maxCode <= UInt64(UInt8.max) {
            self = .u8(Self.narrow(codes, count, memory))
        } else if maxCode <= UInt64(UInt16.max) {
            self = .u16(Self.narrow(codes, count, memory))
        } else if maxCode <= UInt64(UInt32.max) {
            self = .u32(Self.narrow(codes, count, memory))
        } else {
            self = .u64(Self.narrow(codes, count, memory))
        }
    }

    private static func narrow<T: FixedWidthInteger & UnsignedInteger & BitwiseCopyable>(
        _ codes: UnsafePointer<UInt64>, _ count: Int, _ memory: PageMemory
    ) -> UnsafePointer<T> {
        let lanes = memory.take(count, of: T.self)
        for index in 0..<count { lanes[index] = T(truncatingIfNeeded: codes[index]) }
        return UnsafePointer(lanes)
    }
}

/// Takes the sections of a body from its start.
struct BodySections {
    private let base: UnsafeRawPointer
    private let count: Int
    private var offset = 0

    init(_ base: UnsafeRawPointer, count: Int) {
        self.base = base
        self.count = count
    }

    mutating func take(_ byteCount: Int) throws(CodecError) -> UnsafeRawPointer {
        guard byteCount <= count - offset else {
            throw CodecError(.corrupt, "body of a page ends too early", at: offset)
        }
        defer { offset += byteCount }
        return base + offset
    }

    func finish() throws(CodecError) {
        if offset != count {
            throw CodecError(.corrupt, "body of a page is too long", at: offset)
        }
    }
}
