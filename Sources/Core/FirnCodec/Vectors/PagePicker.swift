package import FirnValues

/// Reads a few rows of stored pages without building a whole page in memory.
///
/// It decompresses only the blocks that contain the values. Their checksums are verified, and so is
/// each value that is returned. The memory is used again for the next page.
package final class PagePicker {
    private var memory = UnsafeMutableRawBufferPointer(start: nil, count: 0)
    private var lengths: [UInt32] = []

    package init() {}

    /// Returns whether an encoding lets single rows be read; a page of Floats can still refuse it.
    ///
    /// In the other encodings, values depend on each other, or come in two sections.
    package static func reads(_ encoding: PageEncoding) -> Bool {
        encoding != .ascending && encoding != .pairs
    }

    deinit { memory.deallocate() }

    /// Appends the values of rows to a vector.
    ///
    /// - Parameters:
    ///   - rows: indices of rows of the page.
    ///   - bytes: the stored page, which is not trusted.
    ///   - kind: the kind of the page and the vector.
    /// - Returns: the number of bytes that were decompressed; `nil` if the page has to be decoded as a
    ///   whole, and nothing was appended.
    /// - Throws: `corrupt`. The vector is then not usable.
    package func append(
        _ rows: [UInt32], of bytes: UnsafeRawBufferPointer, kind: ValueTag, rowCount: Int,
        seed: UInt64, headByteCount: Int, headChecksum: UInt64, to vector: inout ColumnVector
    ) throws(CodecError) -> Int? {
        let head = try PageHead(
            sealed: bytes, kind: kind, rowCount: rowCount, seed: seed,
            headByteCount: headByteCount, checksum: headChecksum)
        let sections = PageExpansion(head, memory: nil)
        guard PagePicker.reads(head.parameters.encoding) else { return nil }
        if case .fixed = head.parameters, kind == .float { return nil }
        try sections.checkSize()
        var body = PickedBody(
            head, seed, UnsafeRawBufferPointer(rebasing: bytes[headByteCount...]),
            memory(of: head.rawByteCount))
        for row in rows {
            let row = Int(row)
            precondition(row < rowCount, "a row that the page does not have")
            if try isNull(row, sections, &body) {
                vector.append(.null)
            } else {
                try append(row, head.parameters, sections, &body, to: &vector)
            }
        }
        return body.decompressedByteCount
    }

    private func memory(of byteCount: Int) -> UnsafeMutableRawBufferPointer {
        let needed = byteCount + CodecLimits.readSlackBytes
        if memory.count < needed {
            memory.deallocate()
            memory = .allocate(byteCount: needed, alignment: 16)
        }
        return UnsafeMutableRawBufferPointer(rebasing: memory[..<needed])
    }

    private func isNull(
        _ row: Int, _ sections: PageExpansion, _ body: inout PickedBody
    ) throws(CodecError) -> Bool {
        guard sections.hasNullWords else { return sections.nullCount > 0 }
        let byte = try body.bytes(row / 8..<row / 8 + 1)
        return byte.load(as: UInt8.self) >> UInt8(row % 8) & 1 == 1
    }

    // MARK: Values

    private func append(
        _ row: Int, _ parameters: PageParameters, _ sections: PageExpansion,
        _ body: inout PickedBody, to vector: inout ColumnVector
    ) throws(CodecError) {
        let start = sections.nullByteCount
        switch parameters {
        case .constant(let value): vector.append(value)
        case .packed(let frame):
            let code = try body.code(row, width: frame.width, at: start, max: frame.maxCode)
            vector.append(PageContent.value(frame.value(code), kind: sections.kind))
        case .decimal(let frame, let places):
            let code = try body.code(row, width: frame.width, at: start, max: frame.maxCode)
            let scale = DecimalScaling.scale(places)
            vector.append(
                PageContent.value(frame.value(code), scale: scale, kind: sections.kind))
        case .fixed:
            let bits = try body.bytes(start + row * 8..<start + row * 8 + 8).u64(0)
            vector.append(PageContent.value(Double(bitPattern: bits), kind: sections.kind))
        case .dictionary(let shape):
            try append(row, shape, sections, &body, to: &vector)
        case .heap(let frame, let byteCount):
            let strings = StringSections(
                count: sections.rowCount, lengths: frame, byteCount: byteCount, start: start)
            let nulls = sections.hasNullWords && frame.base > 0
            try append(row, strings, nulls, sections.kind, &body, to: &vector)
        case .ascending, .pairs: preconditionFailure("such pages are decoded as a whole")
        }
    }

    private func append(
        _ row: Int, _ shape: PageParameters.DictionaryShape, _ sections: PageExpansion,
        _ body: inout PickedBody, to vector: inout ColumnVector
    ) throws(CodecError) {
        guard shape.entryCount > 0 else { throw CodecError(.corrupt, "dictionary without entries") }
        let start = sections.nullByteCount
        let code = try body.code(
            row, width: shape.codeWidth, at: start, max: UInt64(shape.entryCount - 1))
        let entries = StringSections(
            count: shape.entryCount, lengths: shape.lengths, byteCount: shape.byteCount,
            start: start + BitPacking.byteCount(sections.rowCount, width: shape.codeWidth))
        try append(
            Int(truncatingIfNeeded: code), entries, false, sections.kind, &body, to: &vector)
    }

    /// The lengths and bytes of strings in a body.
    private struct StringSections {
        let count: Int
        let lengths: LengthFrame
        let byteCount: Int
        /// The offset of the lengths.
        let start: Int

        var lengthByteCount: Int { BitPacking.byteCount(count, width: lengths.width) }
    }

    /// Appends a string.
    ///
    /// - Parameter nulls: whether some strings are null, and have no length.
    private func append(
        _ index: Int, _ strings: StringSections, _ nulls: Bool, _ kind: ValueTag,
        _ body: inout PickedBody, to vector: inout ColumnVector
    ) throws(CodecError) {
        let width = strings.lengths.width
        let base = UInt64(strings.lengths.base)
        var start = UInt64(index) * base
        if width > 0 {
            let packed = try body.bytes(
                strings.start..<strings.start + BitPacking.byteCount(index + 1, width: width))
            if lengths.count <= index {
                lengths = Array(repeating: 0, count: strings.count)
            }
            lengths.withUnsafeMutableBufferPointer { lanes in
                guard let lanes = lanes.baseAddress else { return }
                BitPacking.unpack(packed, width: width, count: index + 1, into: lanes)
                for number in 0..<index { start &+= UInt64(lanes[number]) }
            }
        }
        if nulls {
            // Null rows have length 0, and not the base.
            let words = try body.bytes(0..<(index + 7) / 8)
            for row in 0..<index {
                let byte = words.load(fromByteOffset: row / 8, as: UInt8.self)
                if byte >> UInt8(row % 8) & 1 == 1 { start &-= base }
            }
        }
        let length = base + (width > 0 ? UInt64(lengths[index]) : 0)
        let byteCount = UInt64(strings.byteCount)
        guard start <= byteCount, length <= byteCount - start else {
            throw CodecError(.corrupt, "lengths of strings do not add up")
        }
        let offset = strings.start + strings.lengthByteCount + Int(start)
        let bytes = UnsafeRawBufferPointer(
            start: try body.bytes(offset..<offset + Int(length)), count: Int(length))
        let isValid =
            kind == .string
            ? UTF8Validation.firstError(in: bytes) == nil
            : kind == .data
                || Value.isValid(columnBytes: bytes.bindMemory(to: UInt8.self), kind: kind)
        guard isValid else { throw CodecError(.corrupt, "bytes that are not a valid \(kind.name)") }
        vector.append(columnBytes: bytes)
    }
}

/// The body of a page; only some of its blocks are decompressed.
private struct PickedBody {
    private let head: PageHead
    private let seed: UInt64
    private let stored: UnsafeRawBufferPointer
    private let raw: UnsafeMutableRawBufferPointer
    private var isPresent: [Bool]
    private(set) var decompressedByteCount = 0

    /// - Parameters:
    ///   - stored: the stored blocks.
    ///   - raw: the memory for the body and its slack.
    init(
        _ head: PageHead, _ seed: UInt64, _ stored: UnsafeRawBufferPointer,
        _ raw: UnsafeMutableRawBufferPointer
    ) {
        (self.head, self.seed, self.stored, self.raw) = (head, seed, stored, raw)
        isPresent = Array(repeating: false, count: head.blocks.count)
    }

    /// Returns the bytes of the body in a range, followed by some arbitrary bytes.
    mutating func bytes(_ range: Range<Int>) throws(CodecError) -> UnsafeRawPointer {
        guard range.upperBound <= head.rawByteCount else {
            throw CodecError(.corrupt, "body of a page ends too early", at: range.upperBound)
        }
        let blockByteCount = CodecLimits.blockRawBytes
        var block = range.lowerBound / blockByteCount
        while block * blockByteCount < range.upperBound {
            if !isPresent[block] { try decompress(block) }
            block += 1
        }
        guard let base = raw.baseAddress else { throw CodecError(.corrupt, "page without a body") }
        return UnsafeRawPointer(base + range.lowerBound)
    }

    /// Returns a packed code.
    mutating func code(
        _ index: Int, width: Int, at start: Int, max maximum: UInt64
    ) throws(CodecError) -> UInt64 {
        guard width > 0 else { return 0 }
        let bit = index * width
        let first = start + bit / 8
        let end = min(head.rawByteCount, start + (bit + width + 7) / 8)
        let source = try bytes(first..<end)
        let shift = UInt64(bit % 8)
        var word = source.u64(0) >> shift
        if shift > 0, width > 64 - Int(shift) {
            word |= UInt64(source.load(fromByteOffset: 8, as: UInt8.self)) << (64 - shift)
        }
        let code = width == 64 ? word : word & (1 << UInt64(width) - 1)
        guard code <= maximum else {
            throw CodecError(.corrupt, "code beyond the largest of its page")
        }
        return code
    }

    private mutating func decompress(_ index: Int) throws(CodecError) {
        let block = head.blocks[index]
        let from = head.blocks[..<index].reduce(0) { $0 + $1.storedByteCount }
        let to = index * CodecLimits.blockRawBytes
        let source = UnsafeRawBufferPointer(rebasing: stored[from..<from + block.storedByteCount])
        guard Checksum.xxh64(source, seed: PageHead.seed(seed, block: index)) == block.checksum
        else { throw CodecError(.corrupt, "the checksum of a block is wrong", at: from) }
        let target = UnsafeMutableRawBufferPointer(rebasing: raw[to..<to + block.rawByteCount])
        if block.isCompressed {
            try LZ4Block.decompress(source, into: target)
        } else {
            target.copyMemory(from: source)
        }
        isPresent[index] = true
        decompressedByteCount += block.rawByteCount
    }
}
