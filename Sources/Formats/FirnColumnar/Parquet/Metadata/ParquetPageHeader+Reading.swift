import FirnValues

extension ParquetPageHeader {
    init(_ reader: inout ThriftReader) throws(ColumnarError) {
        var header = ParquetPageHeader()
        try reader.structure { (reader, id, kind) throws(ColumnarError) in
            switch (id, kind) {
            case (1, .int32): header.kind = Kind(rawValue: try reader.int())
            case (2, .int32): header.uncompressedBytes = try reader.int()
            case (3, .int32): header.compressedBytes = try reader.int()
            case (4, .int32): header.checksum = UInt32(truncatingIfNeeded: try reader.int())
            case (5, .structure): try header.readData(&reader)
            case (7, .structure): try header.readDictionary(&reader)
            case (8, .structure): try header.readDataV2(&reader)
            default: try reader.skip(kind)
            }
        }
        guard header.uncompressedBytes >= 0, header.compressedBytes >= 0, header.valueCount >= 0,
            header.definitionBytes >= 0, header.repetitionBytes >= 0
        else { throw .damaged("the header of a page has a negative size") }
        self = header
    }

    private mutating func setEncoding(_ number: Int) {
        encoding = ParquetEncoding(rawValue: number)
        if encoding == nil { unknownEncoding = number }
    }

    private mutating func readData(_ reader: inout ThriftReader) throws(ColumnarError) {
        var header = self
        try reader.structure { (reader, id, kind) throws(ColumnarError) in
            switch (id, kind) {
            case (1, .int32): header.valueCount = try reader.int()
            case (2, .int32): header.setEncoding(try reader.int())
            case (3, .int32): header.definitionEncoding = try reader.int()
            case (4, .int32): header.repetitionEncoding = try reader.int()
            default: try reader.skip(kind)
            }
        }
        self = header
    }

    private mutating func readDictionary(_ reader: inout ThriftReader) throws(ColumnarError) {
        var header = self
        try reader.structure { (reader, id, kind) throws(ColumnarError) in
            switch (id, kind) {
            case (1, .int32): header.valueCount = try reader.int()
            case (2, .int32): header.setEncoding(try reader.int())
            default: try reader.skip(kind)
            }
        }
        self = header
    }

    private mutating func readDataV2(_ reader: inout ThriftReader) throws(ColumnarError) {
        var header = self
        try reader.structure { (reader, id, kind) throws(ColumnarError) in
            switch (id, kind) {
            case (1, .int32): header.valueCount = try reader.int()
            case (4, .int32): header.setEncoding(try reader.int())
            case (5, .int32): header.definitionBytes = try reader.int()
            case (6, .int32): header.repetitionBytes = try reader.int()
            case (7, .no): header.isCompressed = false
            default: try reader.skip(kind)
            }
        }
        self = header
    }
}
