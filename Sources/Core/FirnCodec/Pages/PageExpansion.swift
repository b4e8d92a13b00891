import FirnValues

/// Creates the form in memory from the body of a page, and checks its whole content.
///
/// Heap strings and fixed-width values remain where they were decompressed. In all other cases, the
/// body is released once the codes are unpacked.
struct PageExpansion {
    let kind: ValueTag
    let rowCount: Int
    let nullCount: Int
    let rawByteCount: Int
    let parameters: PageParameters
    /// The source of the memory of the page; `nil` for the heap.
    let allocator: (any PageAllocator)?

    struct Parts {
        var nulls: UnsafePointer<UInt64>?
        var content: PageContent
        var memory: PageMemory
    }

    init(_ head: PageHead, memory allocator: (any PageAllocator)?) {
        self.allocator = allocator
        kind = head.kind
        rowCount = head.rowCount
        nullCount = head.nullCount
        rawByteCount = head.rawByteCount
        parameters = head.parameters
    }

    init(_ body: PageBody) {
        allocator = nil
        kind = body.kind
        rowCount = body.rowCount
        nullCount = body.nullCount
        rawByteCount = body.raw.count
        parameters = body.parameters
    }

    var hasNullWords: Bool {
        PageBody.hasNullWords(rowCount: rowCount, nullCount: nullCount)
    }
    var nullByteCount: Int { hasNullWords ? (rowCount + 63) / 64 * 8 : 0 }

    /// The memory size of the body, and of its additions if it remains.
    var bodyMemoryByteCount: Int {
        let raw = PageMemory.size(rawByteCount + CodecLimits.readSlackBytes, of: UInt8.self)
        guard case .heap = parameters else { return raw }
        return raw + PageMemory.size(rowCount + 1, of: UInt32.self)
    }

    func page(
        _ body: PageMemory, _ raw: UnsafeMutablePointer<UInt8>
    ) throws(CodecError) -> ColumnPage {
        let parts = try parts(body, raw)
        return ColumnPage(
            kind: kind, rowCount: rowCount, nullCount: nullCount, encoding: parameters.encoding,
            nulls: parts.nulls, content: parts.content, memory: parts.memory)
    }

    func parts(
        _ body: PageMemory, _ raw: UnsafeMutablePointer<UInt8>
    ) throws(CodecError) -> Parts {
        var sections = BodySections(UnsafeRawPointer(raw), count: rawByteCount)
        let nullBytes = try sections.take(nullByteCount)
        if hasNullWords { try checkNulls(nullBytes) }
        if case .constant(let value) = parameters {
            guard value.isNull == (nullCount == rowCount) else {
                throw CodecError(.corrupt, "constant that contradicts the number of nulls")
            }
            try checkTotal(constant: value)
        } else if nullCount == rowCount {
            throw CodecError(.corrupt, "page of nulls that is not a constant")
        }
        if case .dictionary(let shape) = parameters, shape.byteCount > rawByteCount {
            throw CodecError(.corrupt, "dictionary larger than its page")
        }
        // Checked before memory is allocated: a few bytes must not claim millions of rows.
        try checkSize()
        let staying = stays ? body : nil
        let memory = staying ?? PageMemory(byteCount: expandedByteCount, from: allocator)
        var nulls: UnsafePointer<UInt64>?
        if hasNullWords {
            let words =
                staying == nil
                ? memory.take(nullByteCount / 8, of: UInt64.self)
                : UnsafeMutableRawPointer(mutating: nullBytes)
                    .bindMemory(to: UInt64.self, capacity: nullByteCount / 8)
            for index in 0..<nullByteCount / 8 { words[index] = nullBytes.u64(index * 8) }
            nulls = UnsafePointer(words)
        }
        let content = try content(&sections, memory, nulls)
        try sections.finish()
        if let nulls { try checkNullRows(nulls, content) }
        return Parts(nulls: nulls, content: content, memory: memory)
    }

    /// Checks that the body is as long as its sections.
    func checkSize() throws(CodecError) {
        guard nullByteCount + sectionsByteCount == rawByteCount else {
            throw CodecError(.corrupt, "body of a page is not as long as its sections")
        }
    }

    private var stays: Bool {
        switch parameters {
        case .heap: true
        // The bits of Floats are widened.
        case .fixed: kind != .float
        default: false
        }
    }

    /// The memory size of a page whose body does not remain.
    private var expandedByteCount: Int {
        let nulls = PageMemory.size(nullByteCount, of: UInt8.self)
        switch parameters {
        case .constant, .heap: return nulls
        case .fixed: return nulls + PageMemory.size(rowCount, of: Double.self)
        case .packed(let frame), .ascending(let frame, _), .decimal(let frame, _):
            return nulls + CodeArray.byteCount(rowCount, maxCode: frame.maxCode)
        case .pairs(let seconds, let nanoseconds):
            return nulls + CodeArray.byteCount(rowCount, maxCode: seconds.maxCode)
                + CodeArray.byteCount(rowCount, maxCode: nanoseconds.maxCode)
        case .dictionary(let shape):
            return nulls
                + CodeArray.byteCount(rowCount, maxCode: UInt64(max(shape.entryCount, 1) - 1))
                + PageMemory.size(shape.entryCount + 1, of: UInt32.self)
                + PageMemory.size(shape.byteCount, of: UInt8.self)
        }
    }

    private var sectionsByteCount: Int {
        switch parameters {
        case .constant: 0
        case .packed(let frame), .decimal(let frame, _):
            BitPacking.byteCount(rowCount, width: frame.width)
        case .ascending(_, let width): BitPacking.byteCount(rowCount, width: width)
        case .pairs(let seconds, let nanoseconds):
            BitPacking.byteCount(rowCount, width: seconds.width)
                + BitPacking.byteCount(rowCount, width: nanoseconds.width)
        case .fixed: PageBody.padded(rowCount * (kind == .float ? 4 : 8))
        case .dictionary(let shape):
            BitPacking.byteCount(rowCount, width: shape.codeWidth)
                + BitPacking.byteCount(shape.entryCount, width: shape.lengths.width)
                + PageBody.padded(shape.byteCount)
        case .heap(let lengths, let byteCount):
            BitPacking.byteCount(rowCount, width: lengths.width) + PageBody.padded(byteCount)
        }
    }

    private func content(
        _ sections: inout BodySections, _ memory: PageMemory, _ nulls: UnsafePointer<UInt64>?
    ) throws(CodecError) -> PageContent {
        switch parameters {
        case .constant(let value): return .constant(value)
        case .packed(let frame): return .packed(try packed(frame, &sections, memory))
        case .ascending(let frame, let deltaWidth):
            return .packed(try ascending(frame, deltaWidth, &sections, memory))
        case .pairs(let seconds, let nanoseconds):
            let whole = try packed(seconds, &sections, memory)
            return .pairs(seconds: whole, nanoseconds: try packed(nanoseconds, &sections, memory))
        case .decimal(let frame, let places):
            return .decimal(
                try packed(frame, &sections, memory), scale: DecimalScaling.scale(places))
        case .fixed where kind == .float:
            return .fixed(floats(try sections.take(PageBody.padded(rowCount * 4)), memory))
        case .fixed:
            let bytes = try sections.take(rowCount * 8)
            let bits = UnsafeMutableRawPointer(mutating: bytes)
                .bindMemory(to: Double.self, capacity: rowCount)
            return .fixed(UnsafePointer(bits))
        case .dictionary(let shape): return try dictionary(shape, &sections, memory)
        case .heap(let lengths, let byteCount):
            return .heap(
                try strings(
                    rowCount, lengths, byteCount, nulls, &sections, memory, copies: false))
        }
    }

    /// Widens 32-bit patterns to doubles.
    private func floats(
        _ bytes: UnsafeRawPointer, _ memory: PageMemory
    ) -> UnsafePointer<Double> {
        let doubles = memory.take(rowCount, of: Double.self)
        for row in 0..<rowCount {
            let bits = bytes.loadUnaligned(fromByteOffset: row &* 4, as: UInt32.self)
            doubles[row] = Double(widening: Float(bitPattern: UInt32(littleEndian: bits)))
        }
        return UnsafePointer(doubles)
    }

    private func packed(
        _ frame: IntegerFrame, _ sections: inout BodySections, _ memory: PageMemory
    ) throws(CodecError) -> PackedCodes {
        let bytes = try sections.take(BitPacking.byteCount(rowCount, width: frame.width))
        let codes = try CodeArray(
            unpacking: bytes, width: frame.width, count: rowCount, maxCode: frame.maxCode,
            into: memory)
        return PackedCodes(frame: frame, array: codes)
    }
}
