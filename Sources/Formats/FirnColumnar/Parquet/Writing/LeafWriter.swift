import FirnValues

/// Writes the pages of one leaf of a row group into memory.
final class LeafWriter {
    let path: LeafPath
    private let options: ParquetOptions
    private let encoder: any ValueEncoder
    private let compressor: PageCompressor
    private var definitions: [UInt8] = []
    private var repetitions: [UInt8] = []
    private var entryCount = 0
    private let body = ByteOutput()
    /// The data pages that are complete, compressed and with their headers.
    private let pages = ByteOutput(capacity: 1 << 16)
    private var encodings: Set<ParquetEncoding> = []
    private var usesDictionary = false
    private var totalEntries: Int64 = 0
    private var nullCount: Int64 = 0
    private var uncompressedBytes: Int64 = 0

    private static let pageEntriesMax = 1 << 17

    init(_ path: LeafPath, _ options: ParquetOptions) {
        self.path = path
        self.options = options
        compressor = PageCompressor(options.codec, level: options.level)
        encoder =
            switch path.type.parquetPhysical {
            case .boolean: TruthEncoder()
            case .byteArray, .fixedByteArray: TextEncoder(path.type)
            default: NumberEncoder(path.type)
            }
    }

    /// The bytes in memory.
    var byteCount: Int { pages.count + encoder.pendingBytes }

    func append(_ root: ColumnarColumn, rowCount: Int) throws(ColumnarError) {
        let entries = LeafEntries(root, path, rowCount: rowCount)
        definitions.append(contentsOf: entries.definitions)
        repetitions.append(contentsOf: entries.repetitions)
        entryCount += entries.entryCount
        totalEntries += Int64(entries.entryCount)
        nullCount += Int64(entries.entryCount - entries.valueCount)
        encoder.append(entries)
        if encoder.pendingBytes >= options.pageBytes || entryCount >= Self.pageEntriesMax {
            try writePage()
        }
    }

    // MARK: Pages

    private func writePage() throws(ColumnarError) {
        guard entryCount > 0 else { return }
        body.removeAll()
        if path.repetitionMax > 0 { appendLevels(repetitions, max: path.repetitionMax) }
        if path.definitionMax > 0 { appendLevels(definitions, max: path.definitionMax) }
        let encoding = encoder.encodePage(to: body)
        encodings.insert(encoding)
        usesDictionary = usesDictionary || encoding == .rleDictionary
        let entryCount = entryCount
        try write(body, to: pages) { writer in
            writer.structure(5) { writer in
                writer.int32(1, entryCount)
                writer.int32(2, encoding.rawValue)
                writer.int32(3, ParquetEncoding.rle.rawValue)
                writer.int32(4, ParquetEncoding.rle.rawValue)
            }
        }
        definitions.removeAll(keepingCapacity: true)
        repetitions.removeAll(keepingCapacity: true)
        self.entryCount = 0
    }

    private func appendLevels(_ levels: [UInt8], max: Int) {
        let start = body.count
        body.append(UInt32(0))
        HybridEncoder.encode(levels: levels, max: max, to: body)
        body.store(UInt32(body.count - start - 4), at: start)
    }

    /// Compresses a page and writes it after its header.
    private func write(
        _ body: ByteOutput, to output: ByteOutput, isDictionary: Bool = false,
        _ header: (inout ThriftWriter) -> Void
    ) throws(ColumnarError) {
        let compressed = ByteOutput(capacity: body.count + 64)
        let size = try compressor.compress(body.bytes, to: compressed)
        let start = output.count
        var writer = ThriftWriter(output)
        writer.element { writer in
            writer.int32(1, isDictionary ? 2 : 0)
            writer.int32(2, body.count)
            writer.int32(3, size)
            header(&writer)
        }
        uncompressedBytes += Int64(output.count - start + body.count)
        output.append(compressed.bytes)
    }

    // MARK: Row groups

    /// Writes the rest of the row group, and starts the next one.
    ///
    /// - Parameters:
    ///   - output: receives the pages.
    ///   - offset: the offset of the output in the file.
    func finishGroup(
        to output: ByteOutput, at offset: Int64
    ) throws(ColumnarError) -> WrittenChunk {
        try writePage()
        let start = output.count
        var chunk = WrittenChunk(path: path, codec: options.codec)
        if usesDictionary {
            body.removeAll()
            encoder.encodeDictionary(to: body)
            let count = encoder.dictionaryCount
            try write(body, to: output, isDictionary: true) { writer in
                writer.structure(7) { writer in
                    writer.int32(1, count)
                    writer.int32(2, ParquetEncoding.plain.rawValue)
                }
            }
            chunk.dictionaryOffset = offset
            encodings.insert(.plain)
        }
        chunk.dataOffset = offset + Int64(output.count - start)
        output.append(pages.bytes)
        chunk.compressedBytes = Int64(output.count - start)
        chunk.uncompressedBytes = uncompressedBytes
        chunk.valueCount = totalEntries
        chunk.nullCount = nullCount
        chunk.bounds = encoder.bounds
        if path.definitionMax + path.repetitionMax > 0 { encodings.insert(.rle) }
        chunk.encodings = encodings.map(\.rawValue).sorted()
        reset()
        return chunk
    }

    private func reset() {
        encoder.reset()
        pages.removeAll()
        encodings = []
        usesDictionary = false
        totalEntries = 0
        nullCount = 0
        uncompressedBytes = 0
    }
}

/// The place and the form of a written column of a row group.
struct WrittenChunk {
    let path: LeafPath
    let codec: ColumnarCodec
    var encodings: [Int] = []
    var valueCount: Int64 = 0
    var nullCount: Int64 = 0
    var uncompressedBytes: Int64 = 0
    var compressedBytes: Int64 = 0
    var dataOffset: Int64 = 0
    var dictionaryOffset: Int64?
    var bounds: ParquetBounds?
}

/// A written row group.
struct WrittenRowGroup {
    let rowCount: Int64
    let offset: Int64
    let chunks: [WrittenChunk]
}
