import FirnValues

/// The description of a Parquet file, which is at its end.
struct ParquetMetadata {
    private(set) var elements: [ParquetSchemaElement] = []
    private(set) var rowCount: Int64 = 0
    private(set) var rowGroups: [ParquetRowGroup] = []
    private(set) var texts: TextMap<String> = [:]

    /// The minimum number of bytes that describe a column of a row group, or a part of the schema.
    private static let partBytesMin = 4

    init(_ bytes: ByteCursor, _ limits: ColumnarLimits) throws(ColumnarError) {
        let chunkCountMax = bytes.count / Self.partBytesMin
        var chunkCount = 0
        var reader = ThriftReader(bytes)
        var metadata = ParquetMetadata()
        try reader.structure { (reader, id, kind) throws(ColumnarError) in
            switch (id, kind) {
            case (2, .list):
                try reader.list { (reader, _) throws(ColumnarError) in
                    guard metadata.elements.count <= 4 * limits.columnCountMax else {
                        throw ColumnarError(
                            .tooLarge, "the schema has more than \(4 * limits.columnCountMax) parts"
                        )
                    }
                    metadata.elements.append(try ParquetSchemaElement(&reader))
                }
            case (3, .int64): metadata.rowCount = try reader.integer()
            case (4, .list):
                try reader.list { (reader, _) throws(ColumnarError) in
                    metadata.rowGroups.append(try ParquetRowGroup(&reader))
                    chunkCount += 1 + (metadata.rowGroups.last?.chunks.count ?? 0)
                    guard chunkCount <= chunkCountMax else {
                        throw .damaged("\(bytes.count) bytes describe \(chunkCount) columns")
                    }
                }
            case (5, .list):
                try reader.list { (reader, _) throws(ColumnarError) in
                    let (key, value) = try reader.keyAndValue()
                    metadata.texts[key] = value
                }
            default: try reader.skip(kind)
            }
        }
        self = metadata
    }

    private init() {}
}

extension ThriftReader {
    fileprivate mutating func keyAndValue() throws(ColumnarError) -> (String, String) {
        var key = ""
        var value = ""
        try structure { (reader, id, kind) throws(ColumnarError) in
            switch (id, kind) {
            case (1, .binary): key = try reader.text()
            case (2, .binary): value = try reader.text()
            default: try reader.skip(kind)
            }
        }
        return (key, value)
    }
}

extension ParquetSchemaElement {
    fileprivate init(_ reader: inout ThriftReader) throws(ColumnarError) {
        var element = ParquetSchemaElement()
        try reader.structure { (reader, id, kind) throws(ColumnarError) in
            switch (id, kind) {
            case (1, .int32):
                let number = try reader.int()
                guard let type = ParquetPhysicalType(rawValue: number) else {
                    throw ColumnarError(
                        .unsupported, "a column has the unknown physical type \(number)")
                }
                element.physical = type
            case (2, .int32): element.typeLength = try reader.int()
            case (3, .int32): element.repetition = try reader.int()
            case (4, .binary): element.name = try reader.text()
            case (5, .int32): element.childCount = try reader.int()
            case (6, .int32): element.converted = try reader.int()
            case (7, .int32): element.scale = try reader.int()
            case (8, .int32): element.precision = try reader.int()
            case (10, .structure): element.logical = try ParquetLogicalType(&reader)
            default: try reader.skip(kind)
            }
        }
        self = element
    }
}

extension ParquetLogicalType {
    fileprivate init(_ reader: inout ThriftReader) throws(ColumnarError) {
        var type = ParquetLogicalType.other
        try reader.structure { (reader, id, kind) throws(ColumnarError) in
            guard kind == .structure else { return try reader.skip(kind) }
            switch id {
            case 5:
                let (first, second) = try reader.numbers()
                type = .decimal(precision: second, scale: first)
            case 7:
                let (unit, isUTC) = try reader.time()
                _ = isUTC
                type = .time(unit)
            case 8:
                let (unit, isUTC) = try reader.time()
                type = .timestamp(unit, isUTC: isUTC)
            case 10: type = try reader.integerType()
            default:
                let simple: [Int: ParquetLogicalType] = [
                    1: .string, 2: .map, 3: .list, 4: .enumeration, 6: .date, 11: .unknown,
                    12: .json, 13: .bson, 14: .uuid, 15: .float16,
                ]
                type = simple[id] ?? .other
                try reader.skip(kind)
            }
        }
        self = type
    }
}

extension ThriftReader {
    /// Reads a structure of two numbers.
    fileprivate mutating func numbers() throws(ColumnarError) -> (Int, Int) {
        var first = 0
        var second = 0
        try structure { (reader, id, kind) throws(ColumnarError) in
            switch (id, kind) {
            case (1, .int32): first = try reader.int()
            case (2, .int32): second = try reader.int()
            default: try reader.skip(kind)
            }
        }
        return (first, second)
    }

    fileprivate mutating func time() throws(ColumnarError) -> (ColumnarTimeUnit, Bool) {
        var unit: ColumnarTimeUnit?
        var isUTC = false
        try structure { (reader, id, kind) throws(ColumnarError) in
            switch (id, kind) {
            case (1, .yes): isUTC = true
            case (2, .structure):
                try reader.structure { (reader, id, kind) throws(ColumnarError) in
                    unit = [1: .milliseconds, 2: .microseconds, 3: .nanoseconds][id]
                    try reader.skip(kind)
                }
            default: try reader.skip(kind)
            }
        }
        guard let unit else { throw .damaged("a column of times has no unit") }
        return (unit, isUTC)
    }

    fileprivate mutating func integerType() throws(ColumnarError) -> ParquetLogicalType {
        var bits = 64
        var isSigned = false
        try structure { (reader, id, kind) throws(ColumnarError) in
            switch (id, kind) {
            case (1, .int8): bits = Int(try reader.cursor.byte())
            case (2, .yes): isSigned = true
            default: try reader.skip(kind)
            }
        }
        return .integer(bits: bits, isSigned: isSigned)
    }
}

extension ParquetRowGroup {
    fileprivate init(_ reader: inout ThriftReader) throws(ColumnarError) {
        var group = ParquetRowGroup()
        try reader.structure { (reader, id, kind) throws(ColumnarError) in
            switch (id, kind) {
            case (1, .list):
                try reader.list { (reader, _) throws(ColumnarError) in
                    group.chunks.append(try ParquetChunk(&reader))
                }
            case (3, .int64): group.rowCount = try reader.integer()
            default: try reader.skip(kind)
            }
        }
        self = group
    }
}

extension ParquetChunk {
    fileprivate init(_ reader: inout ThriftReader) throws(ColumnarError) {
        var chunk = ParquetChunk()
        try reader.structure { (reader, id, kind) throws(ColumnarError) in
            switch (id, kind) {
            case (1, .binary):
                chunk.isInOtherFile = true
                try reader.skip(kind)
            case (3, .structure):
                chunk.hasMetadata = true
                try chunk.readMetadata(&reader)
            case (8, _), (9, _):
                chunk.isEncrypted = true
                try reader.skip(kind)
            default: try reader.skip(kind)
            }
        }
        self = chunk
    }

    private mutating func readMetadata(_ reader: inout ThriftReader) throws(ColumnarError) {
        var chunk = self
        try reader.structure { (reader, id, kind) throws(ColumnarError) in
            switch (id, kind) {
            case (1, .int32): chunk.physical = ParquetPhysicalType(rawValue: try reader.int())
            case (4, .int32): chunk.codec = try reader.int()
            case (5, .int64): chunk.valueCount = try reader.integer()
            case (6, .int64): chunk.uncompressedBytes = try reader.integer()
            case (7, .int64): chunk.compressedBytes = try reader.integer()
            case (9, .int64): chunk.dataOffset = try reader.integer()
            case (11, .int64): chunk.dictionaryOffset = try reader.integer()
            default: try reader.skip(kind)
            }
        }
        self = chunk
    }
}
