import FirnValues

/// Reads the compact protocol of Thrift, in which the metadata of Parquet is written.
///
///     field    [id delta : 4][type : 4], with the id as a zigzag number if the delta is 0
///     list     [size : 4][type : 4], with the size as a number if it is 15
///     binary   size, bytes
struct ThriftReader {
    /// The types of values.
    enum Kind: UInt8 {
        case stop = 0
        case yes = 1
        case no = 2
        case int8 = 3
        case int16 = 4
        case int32 = 5
        case int64 = 6
        case double = 7
        case binary = 8
        case list = 9
        case set = 10
        case map = 11
        case structure = 12
    }

    private static let nestingMax = 64

    var cursor: ByteCursor
    private var depth = 0

    init(_ cursor: ByteCursor) { self.cursor = cursor }

    private func kind(_ code: UInt8) throws(ColumnarError) -> Kind {
        guard let kind = Kind(rawValue: code) else {
            throw .damaged("the metadata has a value of the unknown kind \(code)")
        }
        return kind
    }

    /// Returns the kind of the elements of a list or a map, each of which has at least one byte.
    private func elementKind(_ code: UInt8) throws(ColumnarError) -> Kind {
        let kind = try kind(code)
        guard kind != .stop else {
            throw .damaged("the metadata has elements of the kind that ends a structure")
        }
        return kind
    }

    /// Reads a structure: calls the closure for each field, which must read its value.
    mutating func structure(
        _ body: (inout ThriftReader, _ id: Int, Kind) throws(ColumnarError) -> Void
    ) throws(ColumnarError) {
        try nested { (reader) throws(ColumnarError) in
            var id: Int64 = 0
            while true {
                let head = try reader.cursor.byte()
                let kind = try reader.kind(head & 15)
                if kind == .stop { break }
                let delta = Int64(head >> 4)
                id = delta == 0 ? try reader.cursor.zigzag() : id &+ delta
                guard let small = Int16(exactly: id) else {
                    throw ColumnarError.damaged("the metadata has a field \(id)")
                }
                try body(&reader, Int(small), kind)
            }
        }
    }

    /// Reads a list of structures or numbers: calls the closure for each element.
    mutating func list(
        _ body: (inout ThriftReader, Kind) throws(ColumnarError) -> Void
    ) throws(ColumnarError) {
        let head = try cursor.byte()
        let kind = try elementKind(head & 15)
        let size = head >> 4 == 15 ? try cursor.varint() : UInt64(head >> 4)
        // Every element has at least one byte.
        guard size <= UInt64(cursor.count) else {
            throw .damaged("a list of \(size) elements is in \(cursor.count) bytes")
        }
        for _ in 0..<size { try body(&self, kind) }
    }

    mutating func integer() throws(ColumnarError) -> Int64 { try cursor.zigzag() }

    mutating func int() throws(ColumnarError) -> Int {
        Int(try cursor.zigzag())
    }

    mutating func binary() throws(ColumnarError) -> ByteCursor {
        let size = try cursor.varint()
        guard size <= UInt64(cursor.count) else {
            throw .damaged("a text of \(size) bytes is in \(cursor.count) bytes")
        }
        return try cursor.take(Int(size))
    }

    mutating func text() throws(ColumnarError) -> String {
        String(decoding: try binary().buffer, as: UTF8.self)
    }

    /// Skips a value that is not used.
    mutating func skip(_ kind: Kind) throws(ColumnarError) {
        switch kind {
        case .stop, .yes, .no: break
        case .int8: try cursor.skip(1)
        case .int16, .int32, .int64: _ = try cursor.varint()
        case .double: try cursor.skip(8)
        case .binary: _ = try binary()
        case .list, .set:
            try nested { (reader) throws(ColumnarError) in
                try reader.list { (reader, kind) throws(ColumnarError) in
                    try reader.skipElement(kind)
                }
            }
        case .map: try nested { (reader) throws(ColumnarError) in try reader.skipMap() }
        case .structure:
            try structure { (reader, _, kind) throws(ColumnarError) in try reader.skip(kind) }
        }
    }

    /// Skips an element of a list or a map that is not used.
    private mutating func skipElement(_ kind: Kind) throws(ColumnarError) {
        // Outside of a field, a truth value has a byte.
        if kind == .yes || kind == .no { try cursor.skip(1) } else { try skip(kind) }
    }

    private mutating func skipMap() throws(ColumnarError) {
        let size = try cursor.varint()
        guard size > 0 else { return }
        guard size <= UInt64(cursor.count) else {
            throw .damaged("a map of \(size) entries is in \(cursor.count) bytes")
        }
        let kinds = try cursor.byte()
        let key = try elementKind(kinds >> 4)
        let value = try elementKind(kinds & 15)
        for _ in 0..<size {
            try skipElement(key)
            try skipElement(value)
        }
    }

    /// Reads nested content, up to a depth for which the stack has room.
    private mutating func nested(
        _ body: (inout ThriftReader) throws(ColumnarError) -> Void
    ) throws(ColumnarError) {
        depth += 1
        guard depth <= ThriftReader.nestingMax else {
            throw .damaged(
                "the metadata is nested more than \(ThriftReader.nestingMax) levels deep")
        }
        try body(&self)
        depth -= 1
    }
}
