import FirnValues

/// A table of a flatbuffer; every access is checked.
///
///     table    int32 distance(vtable), values
///     vtable   uint16 size, uint16 size(table), uint16 offset of each field, 0 if it is absent
///     vector   uint32 count, elements
struct FlatTable {
    private let block: ByteBlock
    private let position: Int
    private let vtable: Int
    private let vtableBytes: Int

    /// Opens the root of a buffer.
    init(_ block: ByteBlock) throws(ColumnarError) {
        try self.init(block, at: Int(try Self.load(block, at: 0, as: UInt32.self)))
    }

    private init(_ block: ByteBlock, at position: Int) throws(ColumnarError) {
        self.block = block
        self.position = position
        let distance = Int(try Self.load(block, at: position, as: Int32.self))
        vtable = position - distance
        vtableBytes = Int(try Self.load(block, at: vtable, as: UInt16.self))
        guard vtableBytes >= 4, vtable + vtableBytes <= block.count else {
            throw .damaged("a table of the metadata has no fields")
        }
    }

    private static func load<T: FixedWidthInteger & BitwiseCopyable>(
        _ block: ByteBlock, at offset: Int, as type: T.Type
    ) throws(ColumnarError) -> T {
        guard offset >= 0, offset <= block.count - MemoryLayout<T>.size else {
            throw .damaged(
                "an offset of the metadata is \(offset), and it has \(block.count) bytes")
        }
        return T(littleEndian: block.base.loadUnaligned(fromByteOffset: offset, as: T.self))
    }

    /// Returns the place of a field; `nil` if it is absent.
    private func place(_ field: Int) throws(ColumnarError) -> Int? {
        let entry = 4 + 2 * field
        guard entry + 2 <= vtableBytes else { return nil }
        let offset = Int(try Self.load(block, at: vtable + entry, as: UInt16.self))
        return offset == 0 ? nil : position + offset
    }

    func number<T: FixedWidthInteger & BitwiseCopyable>(
        _ field: Int, default standard: T
    ) throws(ColumnarError) -> T {
        guard let place = try place(field) else { return standard }
        return try Self.load(block, at: place, as: T.self)
    }

    func bool(_ field: Int) throws(ColumnarError) -> Bool {
        try number(field, default: UInt8(0)) != 0
    }

    private func target(_ place: Int) throws(ColumnarError) -> Int {
        place + Int(try Self.load(block, at: place, as: UInt32.self))
    }

    func table(_ field: Int) throws(ColumnarError) -> FlatTable? {
        guard let place = try place(field) else { return nil }
        return try FlatTable(block, at: try target(place))
    }

    /// Returns the first element and the number of elements of a vector.
    private func vector(
        _ field: Int, elementBytes: Int
    ) throws(ColumnarError) -> (start: Int, count: Int) {
        guard let place = try place(field) else { return (0, 0) }
        let start = try target(place)
        let count = Int(try Self.load(block, at: start, as: UInt32.self))
        guard count <= (block.count - start - 4) / elementBytes else {
            throw .damaged("a list of \(count) elements is in \(block.count) bytes of metadata")
        }
        return (start + 4, count)
    }

    func text(_ field: Int) throws(ColumnarError) -> String? {
        guard try place(field) != nil else { return nil }
        let (start, count) = try vector(field, elementBytes: 1)
        let bytes = UnsafeRawBufferPointer(rebasing: block.buffer[start..<start + count])
        return String(decoding: bytes, as: UTF8.self)
    }

    func tables(_ field: Int) throws(ColumnarError) -> [FlatTable] {
        let (start, count) = try vector(field, elementBytes: 4)
        var tables: [FlatTable] = []
        for index in 0..<count {
            tables.append(try FlatTable(block, at: try target(start + 4 * index)))
        }
        return tables
    }

    /// Returns structures of several numbers each, one after another.
    func numbers(_ field: Int, perElement: Int) throws(ColumnarError) -> [Int64] {
        let (start, count) = try vector(field, elementBytes: 8 * perElement)
        var numbers: [Int64] = []
        numbers.reserveCapacity(count * perElement)
        for index in 0..<count * perElement {
            numbers.append(try Self.load(block, at: start + 8 * index, as: Int64.self))
        }
        return numbers
    }
}
