import FirnCodec
package import FirnPlatform
package import FirnQuery
import FirnValues

/// Writes the rows of a result into folders by the values of columns: `carrier=UA/month=1/part-0`.
///
/// Rows wait until their folder has enough of them, so that few files are open at a time. A file
/// that was closed for others is not opened again: the next rows begin `part-1`.
package final class PartitionedWriter: FailingResultWriter {
    /// The number of files that are open at the same time.
    private static let openCountMax = 32
    /// The number of folders, each of which costs memory and a name.
    private static let partitionCountMax = 100_000
    /// The longest name that file systems take.
    private static let nameBytesMax = 255
    private static let waitingRowsMax = 16_384
    private static let waitingBytesMax = 64 << 20

    /// Creates the writer of a file for the columns that are not in the names of folders.
    package typealias Maker =
        ([ResultColumn], any ByteSink) throws(CommandFailure) -> any ResultWriter

    package let linkStyle: LinkStyle
    package let keepsValues: Bool
    package private(set) var failure: CommandFailure?
    /// The values that the names of folders do not distinguish, one line each.
    package private(set) var notes: [String] = []
    private let names: [String]
    private let folder: OutputFolder
    private let suffix: String
    private let compression: Compression?
    private let maker: Maker

    /// The columns in the names of folders, and the others.
    private var keys: [Int] = []
    private var rest: [Int] = []
    private var restColumns: [ResultColumn] = []
    private var raw = RawBatch([])
    private var partitions: [Partition] = []
    private var indices: [[UInt8]: Int] = [:]
    private var openCount = 0
    private var waitingBytes = 0
    private var useCount: UInt64 = 0
    private var emptyTextCount: UInt64 = 0
    private var nullTextCount: UInt64 = 0

    /// - Parameters:
    ///   - names: the columns, outer folders first.
    ///   - suffix: the suffix of the files, with that of the compression.
    ///   - kept: whether links and collections reach the files as they are.
    package init(
        _ names: [String], into folder: OutputFolder, suffix: String, _ compression: Compression?,
        keepingValues kept: Bool, _ maker: @escaping Maker
    ) {
        self.names = names
        self.folder = folder
        self.suffix = suffix
        self.compression = compression
        self.maker = maker
        keepsValues = kept
        linkStyle = suffix.hasPrefix("csv") || suffix.hasPrefix("tsv") ? .plain : .json
    }

    package func begin(_ columns: [ResultColumn]) throws(PlatformError) {
        try keepingFailure { () throws(CommandFailure) in
            for name in names { keys.append(try PartitionedWriter.index(of: name, in: columns)) }
        }
        rest = columns.indices.filter { !keys.contains($0) }
        restColumns = rest.map { columns[$0] }
        try keepingFailure { () throws(CommandFailure) in
            guard rest.isEmpty else { return }
            throw .diagnostic(.usage("--split-by leaves no column for the files"))
        }
        raw = RawBatch(keys.map { columns[$0] })
    }

    private static func index(
        of name: String, in columns: [ResultColumn]
    ) throws(CommandFailure) -> Int {
        guard let index = columns.firstIndex(where: { $0.name == name }) else {
            var diagnostic = Diagnostic(
                .queryUnknownProperty,
                "--split-by: there is no column \"\(SafeText.escaping(name))\"")
            let names = columns.map(\.name)
            diagnostic.suggestions = NearestNames.misspelt(name, among: names)
            diagnostic.remedy =
                diagnostic.suggestions.first.map { "did you mean \"\(SafeText.escaping($0))\"?" }
                ?? "columns: "
                + names.prefix(60).map { SafeText.escaping($0) }
                .joined(separator: ", ")
            throw .diagnostic(diagnostic)
        }
        let type = columns[index].type
        let hasNames = ![.data, .any, .link, .null].contains(type.base)
        guard type.container == .single, hasNames else {
            var diagnostic = Diagnostic(
                .queryType,
                "--split-by: values of \(SafeText.escaping(name)) cannot be names of folders")
            diagnostic.remedy = "choose a column of texts, numbers, dates or truth values"
            throw .diagnostic(diagnostic)
        }
        return index
    }

    package func write(_ batch: ResultBatch) throws(PlatformError) {
        guard batch.rowCount > 0 else { return }
        raw.load(
            ResultBatch(rowCount: batch.rowCount, vectors: keys.map { batch.vectors[$0] }))
        let byteCount = rest.reduce(0) { $0 + batch.vectors[$1].approximateByteCount }
        for (index, rows) in try rowsByPartition() {
            let partition = partitions[index]
            partition.append(rest.map { batch.vectors[$0] }, rows)
            let bytes = byteCount / batch.rowCount * rows.count
            partition.waitingBytes += bytes
            waitingBytes += bytes
            if partition.waitingRows >= PartitionedWriter.waitingRowsMax { try flush(partition) }
        }
        while waitingBytes > PartitionedWriter.waitingBytesMax,
            let largest = partitions.max(by: { $0.waitingBytes < $1.waitingBytes })
        {
            try flush(largest)
        }
    }

    package func finish() throws(PlatformError) {
        for partition in partitions {
            if partition.waitingRows > 0 { try flush(partition) }
            try close(partition)
        }
        if emptyTextCount > 0 {
            notes.append(
                "\(Formatting.count(emptyTextCount, "empty text")) became null in the names of "
                    + "folders, which have no empty text")
        }
        if nullTextCount > 0 {
            notes.append(
                "\(Formatting.count(nullTextCount)) "
                    + "\(String(decoding: PartitionName.null, as: UTF8.self)) became null")
        }
    }

    // MARK: Partitions

    /// Returns the rows of the batch for each partition, in the order of their first rows.
    private func rowsByPartition() throws(PlatformError) -> [(Int, [UInt32])] {
        let texts = (0..<raw.columnCount).map { raw.texts(of: $0) }
        let labels = names.enumerated().map { index, name in
            var label: [UInt8] = index == 0 ? [] : [UInt8(ascii: "/")]
            PartitionName.append(name.utf8, to: &label)
            return label + [UInt8(ascii: "=")]
        }
        var groups: [(Int, [UInt32])] = []
        var places: [Int: Int] = [:]
        var name: [UInt8] = []
        var last: (name: [UInt8], place: Int)?
        for row in 0..<raw.rowCount {
            name.removeAll(keepingCapacity: true)
            for (index, label) in labels.enumerated() {
                name += label
                appendValue(index, row, texts[index], to: &name)
            }
            if let last, last.name == name {
                groups[last.place].1.append(UInt32(truncatingIfNeeded: row))
                continue
            }
            let partition = try index(of: name)
            let place = places[partition] ?? groups.count
            if place == groups.count {
                places[partition] = place
                groups.append((partition, []))
            }
            groups[place].1.append(UInt32(truncatingIfNeeded: row))
            last = (name, place)
        }
        return groups
    }

    private func appendValue(
        _ column: Int, _ row: Int, _ texts: TextColumn, to name: inout [UInt8]
    ) {
        let text = texts.text(row)
        if raw.columns[column].isNull(row) {
            name += PartitionName.null
        } else if text.isEmpty {
            emptyTextCount += 1
            name += PartitionName.null
        } else {
            if text.elementsEqual(PartitionName.null) { nullTextCount += 1 }
            PartitionName.append(text, to: &name)
        }
    }

    private func index(of name: [UInt8]) throws(PlatformError) -> Int {
        if let index = indices[name] { return index }
        try keepingFailure { () throws(CommandFailure) in
            try checkLengths(name)
            guard partitions.count < PartitionedWriter.partitionCountMax else {
                var diagnostic = Diagnostic(
                    .limitExceeded,
                    "--split-by would make more than "
                        + "\(Formatting.count(UInt64(PartitionedWriter.partitionCountMax))) folders"
                )
                diagnostic.remedy = "choose columns with fewer values"
                throw .diagnostic(diagnostic)
            }
        }
        indices[name] = partitions.count
        partitions.append(Partition(String(decoding: name, as: UTF8.self)))
        return partitions.count - 1
    }

    private func checkLengths(_ name: [UInt8]) throws(CommandFailure) {
        for part in name.split(separator: UInt8(ascii: "/"))
        where part.count > PartitionedWriter.nameBytesMax {
            var diagnostic = Diagnostic(
                .limitExceeded,
                "--split-by: a value is too long for the name of a folder: "
                    + SafeText.excerpt(of: part, characters: 40))
            diagnostic.remedy = "choose a column with shorter values"
            throw .diagnostic(diagnostic)
        }
    }

    // MARK: Files

    private func flush(_ partition: Partition) throws(PlatformError) {
        let part: Partition.Part
        if let open = partition.part { part = open } else { part = try open(partition) }
        useCount += 1
        partition.lastUse = useCount
        let rows = ResultBatch(rowCount: partition.waitingRows, vectors: partition.waiting)
        waitingBytes -= partition.waitingBytes
        partition.removeWaiting()
        do { try part.writer.write(rows) } catch { throw noting(error, part.writer) }
    }

    private func open(_ partition: Partition) throws(PlatformError) -> Partition.Part {
        if openCount >= PartitionedWriter.openCountMax,
            let oldest = partitions.filter({ $0.part != nil })
                .min(by: { $0.lastUse < $1.lastUse })
        {
            try close(oldest)
        }
        let file = try folder.newFile(
            "part-\(partition.partCount).\(suffix)", in: partition.path)
        let compressor = try compression?.sink(file)
        var writer: (any ResultWriter)?
        try keepingFailure { () throws(CommandFailure) in
            writer = try maker(restColumns, compressor ?? file)
        }
        guard let writer else { throw PlatformError(.other, operation: "write", path: "") }
        do { try writer.begin(restColumns) } catch { throw noting(error, writer) }
        let part = Partition.Part(writer: writer, file: file, compressor: compressor)
        partition.part = part
        partition.partCount += 1
        openCount += 1
        return part
    }

    private func close(_ partition: Partition) throws(PlatformError) {
        guard let part = partition.part else { return }
        partition.part = nil
        openCount -= 1
        do { try part.writer.finish() } catch { throw noting(error, part.writer) }
        try part.compressor?.finish()
        try folder.close(part.file)
    }

    private func noting(_ error: PlatformError, _ writer: any ResultWriter) -> PlatformError {
        failure = (writer as? any FailingResultWriter)?.failure
        return error
    }

    private func keepingFailure(
        _ body: () throws(CommandFailure) -> Void
    ) throws(PlatformError) {
        do { try body() } catch {
            failure = error
            throw PlatformError(.other, operation: "write", path: "")
        }
    }
}

/// The rows with the same values in the columns that name folders.
private final class Partition {
    struct Part {
        let writer: any ResultWriter
        let file: OutputFolderFile
        let compressor: (any CompressingSink)?
    }

    /// The folders, separated by slashes.
    let path: String
    /// The rows that are not written yet.
    private(set) var waiting: [ColumnVector] = []
    private(set) var waitingRows = 0
    var waitingBytes = 0
    /// The open file.
    var part: Part?
    var partCount = 0
    var lastUse: UInt64 = 0

    init(_ path: String) { self.path = path }

    func append(_ vectors: [ColumnVector], _ rows: [UInt32]) {
        if waiting.isEmpty { waiting = vectors.map { $0.emptyCopy } }
        for index in vectors.indices { waiting[index].append(vectors[index], rows: rows[...]) }
        waitingRows += rows.count
    }

    func removeWaiting() {
        waiting = []
        (waitingRows, waitingBytes) = (0, 0)
    }
}

extension ColumnVector {
    /// An empty vector of the same kind.
    fileprivate var emptyCopy: ColumnVector {
        children.isEmpty
            ? ColumnVector(kind: kind)
            : ColumnVector(kind: kind, children: children.map(\.emptyCopy))
    }

    /// The memory of the values, without the memory of the nulls.
    fileprivate var approximateByteCount: Int {
        ints.count * 8 + doubles.count * 8 + nanoseconds.count * 4 + offsets.count * 4 + bytes.count
            + children.reduce(0) { $0 + $1.approximateByteCount }
    }
}
