import FirnColumnar
import FirnEngine
import FirnQuery
import FirnValues

/// Makes the writers of Parquet and Arrow.
struct ColumnarOutput {
    let format: RowFormat
    let output: RowOutput
    /// The file to write; `nil` or `-` for standard output.
    let path: String?
    let database: OpenDatabase
    let objects: ObjectLayout
    let environment: CommandEnvironment

    /// - Parameters:
    ///   - columns: the columns of the result.
    ///   - metadata: texts to add to the file.
    ///   - again: returns the rows again, and where the columns of the given indices are in them:
    ///     the types of dates and decimals depend on all values, and are declared before the first
    ///     row.
    func writer(
        _ columns: [ResultColumn], metadata: [(key: String, value: String)],
        again: ([Int]) throws(CommandFailure) -> (any ResultRows, [Int])
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
        let needed = columns.indices.filter { ColumnarEvidence.isNeeded(for: columns[$0]) }
        var evidence: [Int: ColumnarEvidence] = [:]
        for index in needed { evidence[index] = ColumnarEvidence() }
        if !needed.isEmpty {
            let (rows, places) = try again(needed)
            while let batch = try next(rows) {
                for (index, place) in zip(needed, places) {
                    evidence[index]?.see(batch.vectors[place])
                }
                try environment.checkSignals()
            }
        }
        var options = ValueOptions()
        options.depth = objects.depth
        return ColumnarResultWriter(
            output.sink, form, SnapshotLookup(database.snapshot.snapshot), options,
            evidence: evidence, metadata: metadata)
    }

    private func next(_ rows: any ResultRows) throws(CommandFailure) -> ResultBatch? {
        do { return try rows.next() } catch {
            throw CommandFailure(error, text: "", file: database.path)
        }
    }

    private var form: ColumnarResultWriter.Form {
        guard format == .arrow else { return .parquet(.zstd) }
        let isStream = path == nil || path == "-" || path?.lowercased().hasSuffix(".arrows") == true
        return isStream ? .arrowStream : .arrowFile
    }
}
