import FirnValues

/// The bytes of one buffer.
struct ArrowBuffer {
    let block: ByteBlock
    let offset: Int
    let count: Int

    var base: UnsafeRawPointer { UnsafeRawPointer(block.base) + offset }

    /// Checks that the buffer has a given number of elements.
    func check(_ elements: Int, bytes: Int) throws(ColumnarError) {
        guard elements <= count / bytes else {
            throw .damaged("a buffer has \(count) bytes for \(elements) values of \(bytes) bytes")
        }
    }

    /// Returns a number that ``check(_:bytes:)`` allows.
    @inline(__always)
    func load<T: FixedWidthInteger & BitwiseCopyable>(_ index: Int, as type: T.Type) -> T {
        T(
            littleEndian: base.loadUnaligned(
                fromByteOffset: index &* MemoryLayout<T>.size, as: T.self))
    }

    /// Returns an offset of 4 or 8 bytes.
    func offset(_ index: Int, bytes: Int) -> Int64 {
        bytes == 4 ? Int64(load(index, as: Int32.self)) : load(index, as: Int64.self)
    }
}

/// The buffers of one column of a record batch.
final class ArrowArray {
    let field: ArrowField
    let length: Int
    /// The bits of values that are not null; `nil` without nulls.
    let validity: ArrowBuffer?
    let buffers: [ArrowBuffer]
    let children: [ArrowArray]

    init(
        _ field: ArrowField, length: Int, validity: ArrowBuffer?, _ buffers: [ArrowBuffer],
        _ children: [ArrowArray]
    ) {
        self.field = field
        self.length = length
        self.validity = validity
        self.buffers = buffers
        self.children = children
    }
}

/// Takes the nodes and buffers of a record batch in the order of its columns.
struct ArrowBatchLayout {
    private let body: ByteBlock
    private let nodes: [Int64]
    private let places: [Int64]
    private let variadicCounts: [Int64]
    private let codec: ColumnarCodec?
    private let limits: ColumnarLimits
    private let budget: MemoryBudget
    private var node = 0
    private var place = 0
    private var variadic = 0
    /// The memory of decompressed buffers.
    private(set) var byteCount = 0
    let rowCount: Int

    init(
        _ table: FlatTable, _ body: ByteBlock, _ limits: ColumnarLimits, _ budget: MemoryBudget
    ) throws(ColumnarError) {
        self.body = body
        self.limits = limits
        self.budget = budget
        let rows = try table.number(0, default: Int64(0))
        guard rows >= 0, rows <= Int64(Int32.max) else {
            throw .damaged("a record batch has \(rows) rows")
        }
        rowCount = Int(rows)
        nodes = try table.numbers(1, perElement: 2)
        places = try table.numbers(2, perElement: 2)
        variadicCounts = try table.numbers(4, perElement: 1)
        guard let compression = try table.table(3) else {
            codec = nil
            return
        }
        codec = try compression.number(0, default: Int8(0)) == 0 ? .lz4 : .zstd
    }

    mutating func array(
        _ field: ArrowField, asIndices isEncoded: Bool = true
    ) throws(ColumnarError) -> ArrowArray {
        guard node + 2 <= nodes.count else { throw .damaged("a record batch has too few columns") }
        guard nodes[node] >= 0, nodes[node] <= Int64(Int32.max) else {
            throw .damaged("a column has \(nodes[node]) values")
        }
        let length = Int(nodes[node])
        node += 2
        if case .null = field.layout {
            return ArrowArray(field, length: length, validity: nil, [], [])
        }
        let validity = try buffer()
        if validity.count > 0 { try validity.check((length + 7) / 8, bytes: 1) }
        let bits = validity.count > 0 ? validity : nil
        if isEncoded, field.dictionary != nil {
            return ArrowArray(field, length: length, validity: bits, [try buffer()], [])
        }
        var buffers: [ArrowBuffer] = []
        var children: [ArrowArray] = []
        switch field.layout {
        case .null: break
        case .bits, .integers, .floats, .fixed, .decimals, .dayMilliseconds:
            buffers = [try buffer()]
        case .texts: buffers = [try buffer(), try buffer()]
        case .views: buffers = try views()
        case .lists(_, let element):
            buffers = [try buffer()]
            children = [try array(element)]
        case .fixedLists(_, let element): children = [try array(element)]
        case .structure(let parts):
            for part in parts { children.append(try array(part)) }
        case .map(let entries):
            buffers = [try buffer()]
            children = [try array(entries)]
        }
        return ArrowArray(field, length: length, validity: bits, buffers, children)
    }

    private mutating func views() throws(ColumnarError) -> [ArrowBuffer] {
        guard variadic < variadicCounts.count, variadicCounts[variadic] >= 0,
            variadicCounts[variadic] <= Int64(places.count)
        else { throw .damaged("a column of views has no number of buffers") }
        let count = Int(variadicCounts[variadic]) + 1
        variadic += 1
        var buffers: [ArrowBuffer] = []
        for _ in 0..<count { buffers.append(try buffer()) }
        return buffers
    }

    private mutating func buffer() throws(ColumnarError) -> ArrowBuffer {
        guard place + 2 <= places.count else {
            throw .damaged("a record batch has too few buffers")
        }
        let offset = places[place]
        let count = places[place + 1]
        place += 2
        guard offset >= 0, count >= 0, offset <= Int64(body.count),
            count <= Int64(body.count) - offset
        else {
            throw .damaged("a buffer has \(count) bytes at \(offset), in \(body.count) bytes")
        }
        let buffer = ArrowBuffer(block: body, offset: Int(offset), count: Int(count))
        guard let codec, count > 0 else { return buffer }
        return try decompress(buffer, codec)
    }

    private mutating func decompress(
        _ buffer: ArrowBuffer, _ codec: ColumnarCodec
    ) throws(ColumnarError) -> ArrowBuffer {
        try buffer.check(1, bytes: 8)
        let size = buffer.load(0, as: Int64.self)
        guard size != -1 else {
            return ArrowBuffer(
                block: buffer.block, offset: buffer.offset + 8, count: buffer.count - 8)
        }
        guard size >= 0, size <= Int64(limits.memoryBytesMax) else {
            throw ColumnarError(
                .tooLarge,
                "a buffer has \(size) bytes; at most \(limits.memoryBytesMax) are read")
        }
        try budget.take(Int(size))
        byteCount += Int(size)
        let block = ByteBlock(capacity: Int(size))
        let input = UnsafeRawBufferPointer(start: buffer.base + 8, count: buffer.count - 8)
        if codec == .lz4 {
            try LZ4Frame.decompress(input, into: block.writable)
        } else {
            try codec.decompress(input, into: block.writable)
        }
        return ArrowBuffer(block: block, offset: 0, count: Int(size))
    }
}
