import FirnValues

extension PageExpansion {
    /// Reads lengths and bytes; offsets ascend because they are sums of lengths.
    func strings(
        _ count: Int, _ lengthWidth: Int, _ byteCount: Int, _ sections: inout BodySections,
        _ memory: PageMemory, copies: Bool
    ) throws(CodecError) -> StringTable {
        let lengths = try sections.take(BitPacking.byteCount(count, width: lengthWidth))
        let offsets = memory.take(count + 1, of: UInt32.self)
        offsets[0] = 0
        BitPacking.unpack(lengths, width: lengthWidth, count: count, into: offsets + 1)
        var sum: UInt64 = 0
        for index in 0..<count {
            sum &+= UInt64(offsets[index + 1])
            offsets[index + 1] = UInt32(truncatingIfNeeded: sum)
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
        try checkText(table)
        return table
    }

    /// The whole is valid, and no string starts inside of a character.
    private func checkText(_ table: StringTable) throws(CodecError) {
        let all = UnsafeRawBufferPointer(start: table.bytes, count: table.byteCount)
        if UTF8Validation.asciiPrefix(all) == all.count { return }
        guard UTF8Validation.isValid(all) else {
            throw CodecError(.corrupt, "text that is not UTF-8")
        }
        for index in 0..<table.count {
            let start = Int(table.offsets[index])
            if start < all.count, UTF8Validation.isContinuation(all[start]) {
                throw CodecError(.corrupt, "text that starts inside of a character")
            }
        }
    }

    func dictionary(
        _ shape: PageParameters.DictionaryShape, _ sections: inout BodySections,
        _ memory: PageMemory
    ) throws(CodecError) -> PageContent {
        guard shape.entryCount > 0 else { throw CodecError(.corrupt, "dictionary without entries") }
        let maxCode = UInt64(shape.entryCount - 1)
        let packed = try sections.take(BitPacking.byteCount(rowCount, width: shape.codeWidth))
        let codes = try Lanes(
            unpacking: packed, width: shape.codeWidth, count: rowCount, maxCode: maxCode,
            into: memory)
        let entries = try strings(
            shape.entryCount, shape.lengthWidth, shape.byteCount, &sections, memory, copies: true)
        var longest = 0
        for index in 0..<entries.count {
            longest = max(longest, entries[index].count)
            guard index == 0 || ByteStrings.order(entries[index - 1], entries[index]) == .less
            else { throw CodecError(.corrupt, "dictionary that is not sorted") }
        }
        // What the rows stand for is bounded like strings that are written out.
        if longest * rowCount > CodecLimits.pageRawBytesMax {
            var total = 0
            for row in 0..<rowCount { total += entries[Int(truncatingIfNeeded: codes[row])].count }
            try checkTotal(total)
        }
        return .dictionary(codes, entries)
    }

    func checkTotal(constant value: Value) throws(CodecError) {
        guard case .string(let text) = value else { return }
        try checkTotal(text.utf8.count * (rowCount - nullCount))
    }

    private func checkTotal(_ byteCount: Int) throws(CodecError) {
        if byteCount > CodecLimits.pageRawBytesMax {
            throw CodecError(.corrupt, "strings of a page beyond their limit")
        }
    }
}
