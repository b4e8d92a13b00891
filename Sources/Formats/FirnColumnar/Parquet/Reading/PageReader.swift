import FirnPlatform
import FirnValues

/// A decompressed page of values.
struct DataPage {
    /// The entries that have not been read yet.
    var remaining: Int
    var repetitions: HybridDecoder?
    var definitions: HybridDecoder?
    let values: ValueDecoder
    /// The memory that the page takes from the budget.
    let byteCount: Int
}

/// Reads the pages of one column of a row group.
struct PageReader {
    private let leaf: ParquetLeaf
    private let codec: ColumnarCodec
    private let limits: ColumnarLimits
    private let budget: MemoryBudget
    private var input: ChunkInput
    private var dictionary: ColumnarColumn?
    private var dictionaryBytes = 0
    /// The entries of the column that no page has contained yet.
    private var remainingValues: Int64
    /// The number of the next page.
    private(set) var pageIndex = 0

    init(
        _ file: any File, fileSize: UInt64, _ chunk: ParquetChunk, _ leaf: ParquetLeaf,
        _ limits: ColumnarLimits, _ budget: MemoryBudget
    ) throws(ColumnarError) {
        self.leaf = leaf
        self.limits = limits
        self.budget = budget
        guard chunk.hasMetadata, !chunk.isInOtherFile else {
            throw ColumnarError(.unsupported, "the column is in another file")
        }
        guard !chunk.isEncrypted else {
            throw ColumnarError(.unsupported, "the column is encrypted")
        }
        guard chunk.physical == leaf.physical else {
            throw .damaged("the column has another type than in the schema")
        }
        codec = try ColumnarCodec.parquet(chunk.codec)
        var start = chunk.dataOffset
        if let offset = chunk.dictionaryOffset, offset > 0 { start = min(start, offset) }
        guard start >= 4, chunk.compressedBytes >= 0, chunk.valueCount >= 0,
            let from = UInt64(exactly: start), let size = UInt64(exactly: chunk.compressedBytes),
            from <= fileSize, size <= fileSize - from
        else {
            throw .damaged(
                "the column has \(chunk.compressedBytes) bytes at \(start), and the file has "
                    + "\(fileSize)")
        }
        input = ChunkInput(file, from: from, byteCount: size)
        remainingValues = chunk.valueCount
    }

    /// Returns the memory of the dictionary to the budget.
    mutating func close() {
        budget.give(back: dictionaryBytes)
        dictionaryBytes = 0
    }

    /// Reads the next page of values; `nil` after the last.
    mutating func next() throws(ColumnarError) -> DataPage? {
        while remainingValues > 0 {
            guard input.remaining > 0 else {
                throw .damaged("the column ends \(remainingValues) values early")
            }
            let header = try input.header()
            guard header.uncompressedBytes <= limits.pageBytesMax,
                header.compressedBytes <= limits.pageBytesMax
            else {
                throw ColumnarError(
                    .tooLarge,
                    "the page has \(header.uncompressedBytes) bytes; at most "
                        + "\(limits.pageBytesMax) are read")
            }
            defer { pageIndex += 1 }
            switch header.kind {
            case .dictionary: try readDictionary(header)
            case .data, .dataV2:
                guard Int64(header.valueCount) <= remainingValues else {
                    throw .damaged(
                        "the page has \(header.valueCount) values, and the column "
                            + "\(remainingValues) more")
                }
                remainingValues -= Int64(header.valueCount)
                let body = try verifiedBody(header)
                guard header.valueCount > 0 else { continue }
                return header.kind == .data
                    ? try page(header, body) : try pageV2(header, body)
            case .index, nil: _ = try input.take(header.compressedBytes)
            }
        }
        return nil
    }

    /// Reads the compressed bytes of a page, and verifies their checksum.
    private mutating func verifiedBody(
        _ header: ParquetPageHeader
    ) throws(ColumnarError) -> ByteCursor {
        let body = try input.take(header.compressedBytes)
        if let checksum = header.checksum, checksum != PageChecksum.crc32(of: body.buffer) {
            throw .damaged("the checksum of the page is wrong")
        }
        return body
    }

    private func encoding(_ header: ParquetPageHeader) throws(ColumnarError) -> ParquetEncoding {
        guard let encoding = header.encoding else {
            throw ColumnarError(
                .unsupported, "the page has the unknown encoding \(header.unknownEncoding ?? -1)")
        }
        return encoding
    }

    private func decompress(
        _ body: ByteCursor, _ byteCount: Int
    ) throws(ColumnarError) -> ByteBlock {
        let block = ByteBlock(capacity: byteCount)
        try codec.decompress(body.buffer, into: block.writable)
        return block
    }

    // MARK: Kinds of pages

    private mutating func readDictionary(_ header: ParquetPageHeader) throws(ColumnarError) {
        guard dictionary == nil else { throw .damaged("the column has two dictionaries") }
        let encoding = try encoding(header)
        guard encoding == .plain || encoding == .plainDictionary else {
            throw ColumnarError(.unsupported, "the dictionary has the encoding \(encoding)")
        }
        // A value of a dictionary is used once at least, and a text has a length.
        guard Int64(header.valueCount) <= max(remainingValues, 1) else {
            throw .damaged(
                "the dictionary has \(header.valueCount) values for \(remainingValues) rows")
        }
        let block = try decompress(
            try verifiedBody(header), header.uncompressedBytes)
        // Texts have offsets, and narrow numbers get wide.
        let byteCount = 3 * header.uncompressedBytes + 8 * header.valueCount
        try budget.take(byteCount)
        dictionaryBytes = byteCount
        let decoder = try ValueDecoder(
            ByteCursor(block), in: block, encoding: .plain, leaf, count: header.valueCount,
            dictionary: nil, limits)
        let values = ColumnarColumn(leaf.storedType)
        try decoder.read(header.valueCount, into: values)
        dictionary = values
    }

    private func page(
        _ header: ParquetPageHeader, _ body: ByteCursor
    ) throws(ColumnarError) -> DataPage {
        let block = try decompress(body, header.uncompressedBytes)
        var cursor = ByteCursor(block)
        var repetitions: HybridDecoder?
        var definitions: HybridDecoder?
        if leaf.repetitionMax > 0 {
            repetitions = try levels(
                &cursor, header.repetitionEncoding, max: leaf.repetitionMax, header.valueCount)
        }
        if leaf.definitionMax > 0 {
            definitions = try levels(
                &cursor, header.definitionEncoding, max: leaf.definitionMax, header.valueCount)
        }
        return try page(header, cursor, block, repetitions, definitions)
    }

    private func levels(
        _ cursor: inout ByteCursor, _ encoding: Int, max: Int, _ count: Int
    ) throws(ColumnarError) -> HybridDecoder {
        guard encoding == ParquetEncoding.rle.rawValue else {
            throw ColumnarError(
                .unsupported,
                "the levels have the encoding \(encoding), which no writer uses since 2013",
                remedy: "write the file again with a current program")
        }
        let size = Int(try cursor.uint32())
        return try HybridDecoder(try cursor.take(size), width: HybridEncoder.width(max: max))
    }

    private func pageV2(
        _ header: ParquetPageHeader, _ body: ByteCursor
    ) throws(ColumnarError) -> DataPage {
        var body = body
        let levelBytes = header.repetitionBytes + header.definitionBytes
        guard levelBytes <= header.uncompressedBytes, levelBytes <= body.count else {
            throw .damaged("\(levelBytes) bytes of levels are in a page of \(body.count)")
        }
        let levels = try body.take(levelBytes)
        let block = ByteBlock(capacity: header.uncompressedBytes)
        block.base.copyMemory(from: levels.base, byteCount: levelBytes)
        let rest = UnsafeMutableRawBufferPointer(rebasing: block.writable[levelBytes...])
        try (header.isCompressed ? codec : .none).decompress(body.buffer, into: rest)
        var cursor = ByteCursor(block)
        let repetitionBytes = try cursor.take(header.repetitionBytes)
        let definitionBytes = try cursor.take(header.definitionBytes)
        var repetitions: HybridDecoder?
        var definitions: HybridDecoder?
        if leaf.repetitionMax > 0 {
            let width = HybridEncoder.width(max: leaf.repetitionMax)
            repetitions = try HybridDecoder(repetitionBytes, width: width)
        }
        if leaf.definitionMax > 0 {
            let width = HybridEncoder.width(max: leaf.definitionMax)
            definitions = try HybridDecoder(definitionBytes, width: width)
        }
        return try page(header, cursor, block, repetitions, definitions)
    }

    private func page(
        _ header: ParquetPageHeader, _ cursor: ByteCursor, _ block: ByteBlock,
        _ repetitions: HybridDecoder?, _ definitions: HybridDecoder?
    ) throws(ColumnarError) -> DataPage {
        let values = try ValueDecoder(
            cursor, in: block, encoding: try encoding(header), leaf, count: header.valueCount,
            dictionary: dictionary, limits)
        let byteCount = header.uncompressedBytes + values.byteCount
        try budget.take(byteCount)
        return DataPage(
            remaining: header.valueCount, repetitions: repetitions, definitions: definitions,
            values: values, byteCount: byteCount)
    }
}

extension ParquetLeaf {
    /// The type whose lane holds values as they are stored.
    var storedType: ColumnarType {
        switch physical {
        case .boolean: .bool
        case .int32, .int64: .int(bits: 64, isSigned: true)
        case .int96: .timestamp(.secondsAndNanoseconds, isUTC: true)
        case .float, .double: .double
        case .byteArray, .fixedByteArray: .binary
        }
    }
}
