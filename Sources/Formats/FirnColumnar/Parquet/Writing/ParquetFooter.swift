import FirnValues

/// Writes the description of a file.
struct ParquetFooter {
    let elements: [ParquetSchemaElement]
    let leafCount: Int
    let groups: [WrittenRowGroup]
    let metadata: [(key: String, value: String)]
    /// Readers take the program and its version from this text, and expect this form.
    private static let creator = "firn version 1.0.0 (build firn)"

    func write(to output: ByteOutput) {
        var writer = ThriftWriter(output)
        writer.element { writer in
            writer.int32(1, 2)
            writer.list(2, .structure, count: elements.count)
            for element in elements { writer.element { element.write(&$0) } }
            writer.int64(3, groups.reduce(0) { $0 + $1.rowCount })
            writer.list(4, .structure, count: groups.count)
            for (index, group) in groups.enumerated() {
                writer.element { group.write(&$0, index) }
            }
            if !metadata.isEmpty {
                writer.list(5, .structure, count: metadata.count)
                for (key, value) in metadata {
                    writer.element { writer in
                        writer.text(1, key)
                        writer.text(2, value)
                    }
                }
            }
            writer.text(6, Self.creator)
            // Readers use bounds only if their order is declared: that of the type.
            writer.list(7, .structure, count: leafCount)
            for _ in 0..<leafCount {
                writer.element { writer in writer.structure(1) { _ in } }
            }
        }
    }
}

extension ParquetSchemaElement {
    fileprivate func write(_ writer: inout ThriftWriter) {
        if let physical { writer.int32(1, physical.rawValue) }
        if typeLength > 0 { writer.int32(2, typeLength) }
        // The root has none.
        if repetition >= 0 { writer.int32(3, repetition) }
        writer.text(4, name)
        if physical == nil { writer.int32(5, childCount) }
        if let converted { writer.int32(6, converted) }
        if case .decimal = logical {
            writer.int32(7, scale)
            writer.int32(8, precision)
        }
        if let logical { writer.structure(10) { logical.write(&$0) } }
    }
}

extension ParquetLogicalType {
    fileprivate func write(_ writer: inout ThriftWriter) {
        switch self {
        case .string: writer.structure(1) { _ in }
        case .map: writer.structure(2) { _ in }
        case .list: writer.structure(3) { _ in }
        case .enumeration: writer.structure(4) { _ in }
        case .decimal(let precision, let scale):
            writer.structure(5) { writer in
                writer.int32(1, scale)
                writer.int32(2, precision)
            }
        case .date: writer.structure(6) { _ in }
        case .time(let unit): writer.structure(7) { unit.write(&$0, isUTC: false) }
        case .timestamp(let unit, let isUTC):
            writer.structure(8) { unit.write(&$0, isUTC: isUTC) }
        case .integer(let bits, let isSigned):
            writer.structure(10) { writer in
                writer.int8(1, Int8(truncatingIfNeeded: bits))
                writer.bool(2, isSigned)
            }
        case .unknown: writer.structure(11) { _ in }
        case .json: writer.structure(12) { _ in }
        case .bson: writer.structure(13) { _ in }
        case .uuid: writer.structure(14) { _ in }
        case .float16: writer.structure(15) { _ in }
        case .other: break
        }
    }
}

extension ColumnarTimeUnit {
    fileprivate func write(_ writer: inout ThriftWriter, isUTC: Bool) {
        writer.bool(1, isUTC)
        let unit = self == .milliseconds ? 1 : self == .microseconds ? 2 : 3
        writer.structure(2) { writer in writer.structure(unit) { _ in } }
    }
}

extension WrittenRowGroup {
    fileprivate func write(_ writer: inout ThriftWriter, _ index: Int) {
        writer.list(1, .structure, count: chunks.count)
        for chunk in chunks { writer.element { chunk.write(&$0) } }
        writer.int64(2, chunks.reduce(0) { $0 + $1.uncompressedBytes })
        writer.int64(3, rowCount)
        writer.int64(5, offset)
        writer.int64(6, chunks.reduce(0) { $0 + $1.compressedBytes })
    }
}

extension WrittenChunk {
    fileprivate func write(_ writer: inout ThriftWriter) {
        writer.int64(2, 0)
        writer.structure(3) { writer in
            writer.int32(1, path.type.parquetPhysical.rawValue)
            writer.list(2, .int32, count: encodings.count)
            for encoding in encodings { writer.element(int32: encoding) }
            writer.list(3, .binary, count: path.names.count)
            for name in path.names { writer.element(binary: Array(name.utf8)) }
            writer.int32(4, codec.parquetNumber)
            writer.int64(5, valueCount)
            writer.int64(6, uncompressedBytes)
            writer.int64(7, compressedBytes)
            writer.int64(9, dataOffset)
            if let dictionaryOffset { writer.int64(11, dictionaryOffset) }
            writer.structure(12) { writer in
                writer.int64(3, nullCount)
                if let bounds {
                    writer.binary(5, bounds.greatest)
                    writer.binary(6, bounds.least)
                    writer.bool(7, bounds.isExact)
                    writer.bool(8, bounds.isExact)
                }
            }
        }
    }
}
