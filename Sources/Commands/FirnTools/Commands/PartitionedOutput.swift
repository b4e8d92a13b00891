import FirnColumnar
import FirnEngine
import FirnFormats
import FirnPlatform
import FirnQuery
import FirnValues

/// The folder of a result that is split by the values of columns.
struct PartitionedOutput {
    /// The size of a row group: since many files are written at the same time, each keeps less in
    /// memory than a single file would.
    private static let rowGroupBytes = 4 << 20

    let path: String
    let format: RowFormat
    let form: FileForm
    let existing: AtomicFile.Existing
    let hasHeader: Bool
    let nullText: String?
    /// The compression of texts.
    let compression: Compression?
    let objects: ObjectLayout
    let database: OpenDatabase
    let environment: CommandEnvironment

    /// The outcome of a transfer.
    struct Outcome {
        let rowCount: UInt64
        let byteCount: UInt64
        let notes: [String]
    }

    /// Writes all rows, and gives the folder its name.
    ///
    /// - Parameter progress: called with the number of rows so far.
    func write(
        _ result: any ResultRows, _ text: TypedText, again: ColumnarOutput.Repetition,
        progress: (UInt64) -> Void
    ) throws(CommandFailure) -> Outcome {
        try check()
        let columnar = ColumnarOutput(
            format: format, database: database, objects: objects,
            codec: (form.codec ?? .zstd).codec, environment: environment)
        var evidence: [Int: ColumnarEvidence] = [:]
        if format.isColumnar {
            let all = try columnar.evidence(result.columns, again: again)
            // The files lack the columns that name folders.
            let rest = result.columns.indices.filter {
                !form.partitions.contains(result.columns[$0].name)
            }
            for (place, index) in rest.enumerated() { evidence[place] = all[index] }
        }
        let folder: OutputFolder
        do { folder = try OutputFolder(path, existing, services: environment.services) } catch {
            throw failure(error)
        }
        let suffix = format.suffix + (compression?.suffix ?? "")
        let (format, values) = (format, values)
        let found = evidence
        let writer = PartitionedWriter(
            form.partitions, into: folder, suffix: suffix, compression,
            keepingValues: format.isColumnar
        ) { _, sink throws(CommandFailure) in
            let text = format.dataWriter(sink, values, SQLTable(name: "result", parts: []))
            return text
                ?? columnar.writer(
                    sink, inFolder: found, rowGroupBytes: PartitionedOutput.rowGroupBytes)
        }
        let transfer = RowTransfer(result, database: database, text: text, objects)
        let rowCount = try transfer.run(
            into: writer, Target(name: SafeText.escaping(path)), environment, progress: progress)
        do { try folder.commit() } catch { throw failure(error) }
        return Outcome(rowCount: rowCount, byteCount: folder.size, notes: writer.notes)
    }

    private func check() throws(CommandFailure) {
        guard [.parquet, .arrow, .csv, .tsv, .ndjson, .json].contains(format) else {
            throw .diagnostic(
                .usage(
                    "--split-by cannot write \(format.rawValue)",
                    remedy: "choose one with -f: parquet, arrow, csv, tsv, ndjson, json"))
        }
        if format.isColumnar, compression != nil {
            throw .diagnostic(.usage("\(format.rawValue) cannot be compressed as a whole file"))
        }
        try form.check(format)
    }

    private var values: WriterOptions {
        var values = WriterOptions()
        values.header = hasHeader
        values.nullText = nullText
        values.set(form, objects)
        return values
    }

    private func failure(_ error: PlatformError) -> CommandFailure {
        let failure = CommandFailure(writing: SafeText.escaping(path), error)
        guard case .diagnostic(var diagnostic) = failure else { return failure }
        switch error.code {
        case .alreadyExists where existing == .refused:
            diagnostic.remedy = "remove it first, or replace it with export --force"
        case .alreadyExists, .notReplaceable:
            diagnostic.message = "cannot write \(SafeText.escaping(path)): it has other files"
            diagnostic.remedy = "only a folder that --split-by has written is replaced"
        default: break
        }
        return .diagnostic(diagnostic)
    }

    /// The folder in errors.
    private struct Target: ResultTarget {
        let name: String
        let isTerminal = false

        func failure(_ error: PlatformError) -> CommandFailure {
            CommandFailure(writing: name, error)
        }
    }
}
