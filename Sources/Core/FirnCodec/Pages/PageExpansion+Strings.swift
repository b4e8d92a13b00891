import FirnValues

extension PageExpansion {
    /// Reads lengths and bytes.
    ///
    /// Offsets ascend because they are sums of lengths.
    ///
    /// - Parameter nulls: the nulls of rows; `nil` if no row is null, and for dictionary entries.
    func strings(
        _ count: Int, _ lengths: LengthFrame, _ byteCount: Int, _ nulls: UnsafePointer<UInt64>?,
        _ sections: inout BodySections, _ memory: PageMemory, copies: Bool
    ) throws(CodecError) -> StringTable {
        let codes = try sections.take(BitPacking.byteCount(count, width: lengths.width))
        let offsets = memory.take(count + 1, of: UInt32.self)
        offsets[0] = 0
        BitPacking.unpack(codes, width: lengths.width, count: count, into: offsets + 1)
        var sum: UInt64 = 0
        if let nulls, lengths.base > 0 {
            for index in 0..<count {
                let isNull = nulls[index &>> 6] &>> UInt64(index & 63) & 1 == 1
                sum &+= UInt64(offsets[index + 1]) + (isNull ? 0 : UInt64(lengths.base))
                offsets[index + 1] = UInt32(truncatingIfNeeded: sum)
            }
        } else {
            let base = UInt64(lengths.base)
            for index in 0..<count {
                sum &+= UInt64(offsets[index + 1]) &+ base
                offsets[index + 1] = UInt32(truncatingIfNeeded: sum)
            }
        }
        guard sum == UInt64(byteCount) else {
            throw CodecError(.corrupt, "lengths of strings do not add up")
        }
        let source = try sections.take(PageBody.padded(byteCount))
        var bytes = source.assumingMemoryBound(to: UInt8.self)
        if copies {
            let copy = memory.take(byteCount, of: UInt8.self)
            copy.update(from: bytes, count: byteCount)
            bytes = UnsafePointer(copy)
        }
        let table = StringTable(count: count, offsets: UnsafePointer(offsets), bytes: bytes)
        if kind == .string {
            try checkText(table)
        } else if kind != .data {
            try checkValues(table, nulls)
        }
        return table
    }

    /// Checks that every value that is not null is valid for the kind.
    private func checkValues(
        _ table: StringTable, _ nulls: UnsafePointer<UInt64>?
    ) throws(CodecError) {
        for index in 0..<table.count {
            let isNull = nulls.map { $0[index &>> 6] &>> UInt64(index & 63) & 1 == 1 } ?? false
            guard isNull || Value.isValid(columnBytes: table[index], kind: kind) else {
                throw CodecError(.corrupt, "bytes that are not a valid \(kind.name)")
            }
        }
    }

    /// Checks that the whole text is valid, and that no string starts inside a character.
    private func checkText(_ table: StringTable) throws(CodecError) {
        let all = UnsafeRawBufferPointer(start: table.bytes, count: table.byteCount)
        let verdict = UTF8Validation.verdict(on: all, stringCount: table.count) {
            Int(table.offsets[$0])
        }
        switch verdict {
        case .valid: return
        case .notUTF8: throw CodecError(.corrupt, "text that is not UTF-8")
        case .splitCharacter:
            throw CodecError(.corrupt, "text that starts inside of a character")
        }
    }

    func dictionary(
        _ shape: PageParameters.DictionaryShape, _ sections: inout BodySections,
        _ memory: PageMemory
    ) throws(CodecError) -> PageContent {
        guard shape.entryCount > 0 else { throw CodecError(.corrupt, "dictionary without entries") }
        let maxCode = UInt64(shape.entryCount - 1)
        let packed = try sections.take(BitPacking.byteCount(rowCount, width: shape.codeWidth))
        let codes = try CodeArray(
            unpacking: packed, width: shape.codeWidth, count: rowCount, maxCode: maxCode,
            into: memory)
        let entries = try strings(
            shape.entryCount, shape.lengths, shape.byteCount, nil, &sections, memory,
            copies: true)
        var longest = 0
        for index in 0..<entries.count {
            longest = max(longest, entries[index].count)
            guard index == 0 || ByteStrings.order(entries[index - 1], entries[index]) == .less
            else { throw CodecError(.corrupt, "dictionary that is not sorted") }
        }
        // The total size of the rows' strings has the same limit as strings that are stored row by
        // row.
        if longest * rowCount > CodecLimits.pageRawBytesMax {
            var total = 0
            for row in 0..<rowCount { total += entries[Int(truncatingIfNeeded: codes[row])].count }
            try checkTotal(total)
        }
        return .dictionary(codes, entries)
    }

    func checkTotal(constant value: Value) throws(CodecError) {
        guard kind.isStoredAsBytes, !value.isNull else { return }
        let byteCount = try value.withColumnBytes(of: kind) { $0.count } ?? 0
        try checkTotal(byteCount * (rowCount - nullCount))
    }

    private func checkTotal(_ byteCount: Int) throws(CodecError) {
        if byteCount > CodecLimits.pageRawBytesMax {
            throw CodecError(.corrupt, "strings of a page beyond their limit")
        }
    }
}
