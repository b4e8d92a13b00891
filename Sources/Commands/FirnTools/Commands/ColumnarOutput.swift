import FirnColumnar
import FirnEngine
import FirnFormats
import FirnQuery
import FirnValues

/// Creates the writers of Parquet and Arrow.
struct ColumnarOutput {
    let format: RowFormat
    let database: OpenDatabase
    let objects: ObjectLayout
    /// The compression of the pages of Parquet.
    let codec: ColumnarCodec
    let environment: CommandEnvironment

    /// Returns the rows again, and the positions of the columns with the given indices in them.
    typealias Repetition = ([Int]) throws(CommandFailure) -> (any ResultRows, [Int])

    /// Returns the writer of a file.
    ///
    /// - Parameters:
    ///   - path: the file to write; `nil` or `-` for standard output.
    ///   - columns: the columns of the result.
    ///   - metadata: texts to add to the file.
    func writer(
        _ output: RowOutput, _ path: String?, _ columns: [ResultColumn],
        metadata: [(key: String, value: String)], again: Repetition
    ) throws(CommandFailure) -> ColumnarResultWriter {
        guard !output.isTerminal else {
            throw .diagnostic(
                .usage(
                    "cannot write \(format.rawValue) to a terminal",
                    remedy: "name a file, or use a pipe"))
        }
        if format == .parquet, let path, Compression(path: path) != nil {
            throw .diagnostic(
                .usage(
                    "a Parquet file is compressed inside",
                    remedy: "name it \(SafeText.escaping(Compression.nameOfContent(path)))"))
        }
        guard !columns.isEmpty else {
            throw .diagnostic(
                .usage("\(format.rawValue) needs a column, and the result has none"))
        }
        return writer(
            output.sink, form(path), try evidence(columns, again: again), metadata: metadata)
    }

    /// Returns the writer of one of the files of a folder.
    ///
    /// - Parameter evidence: see ``ColumnarPlan``, for the columns of the file.
    func writer(
        _ sink: any ByteSink, inFolder evidence: [Int: ColumnarEvidence], rowGroupBytes: Int
    ) -> ColumnarResultWriter {
        let writer = writer(sink, form("."), evidence, metadata: [])
        writer.rowGroupBytes = rowGroupBytes
        return writer
    }

    private func writer(
        _ sink: any ByteSink, _ form: ColumnarResultWriter.Form,
        _ evidence: [Int: ColumnarEvidence], metadata: [(key: String, value: String)]
    ) -> ColumnarResultWriter {
        var options = ValueOptions()
        options.depth = objects.depth
        return ColumnarResultWriter(
            sink, form, SnapshotLookup(database.snapshot.snapshot), options,
            evidence: evidence, metadata: metadata)
    }

    /// Returns the requirements of the values of columns: the types of dates and decimals depend on
    /// all values, and are declared before the first row.
    func evidence(
        _ columns: [ResultColumn], again: Repetition
    ) throws(CommandFailure) -> [Int: ColumnarEvidence] {
        let needed = columns.indices.filter { ColumnarEvidence.isNeeded(for: columns[$0]) }
        var evidence: [Int: ColumnarEvidence] = [:]
        for index in needed { evidence[index] = ColumnarEvidence() }
        guard !needed.isEmpty else { return evidence }
        let (rows, places) = try again(needed)
        while let batch = try next(rows) {
            for (index, place) in zip(needed, places) {
                evidence[index]?.see(batch.vectors[place])
            }
            try environment.checkSignals()
        }
        return evidence
    }

    private func next(_ rows: any ResultRows) throws(CommandFailure) -> ResultBatch? {
        do { return try rows.next() } catch {
            throw CommandFailure(error, text: "", file: database.path)
        }
    }

    private func form(_ path: String?) -> ColumnarResultWriter.Form {
        guard format == .arrow else { return .parquet(codec) }
        let isStream = path == nil || path == "-" || path?.lowercased().hasSuffix(".arrows") == true
        return isStream ? .arrowStream : .arrowFile
    }
}
