import FirnFormats
import FirnPlatform
import FirnQuery
import FirnValues

/// The destination of the rows of a command.
protocol ResultTarget {
    /// Whether the output is a terminal.
    var isTerminal: Bool { get }
    func failure(_ error: PlatformError) -> CommandFailure
}

/// The output of the rows of a command, and the properties of its terminal.
final class RowOutput: ResultTarget {
    private enum Target {
        case stream(any ByteSink)
        case file(AtomicFile)
    }

    private let target: Target
    /// The name in errors.
    let name: String
    /// Whether the output is a terminal.
    let isTerminal: Bool
    /// The sink for formats that write values unchanged; it protects a terminal from harmful
    /// characters.
    let dataSink: any ByteSink
    /// The SQLite database that is being written, if the output is one.
    private var database: SQLiteOutput?
    /// The losses of the output, one line each; known when it is complete.
    private(set) var notes: [String] = []
    /// The compressor of the output, if any.
    private let compressor: (any CompressingSink)?

    /// - Parameters:
    ///   - path: the file to write atomically; `nil` or `-` for standard output.
    ///   - compression: the compression of the output.
    init(
        _ path: String?, existing: AtomicFile.Existing, compression: Compression? = nil,
        _ environment: CommandEnvironment
    ) throws(CommandFailure) {
        guard let path, path != "-" else {
            target = .stream(environment.output)
            name = environment.outputName
            isTerminal = environment.outputIsTerminal
            if compression != nil, isTerminal {
                throw .diagnostic(
                    .usage(
                        "cannot write compressed data to a terminal",
                        remedy: "name a file, or use a pipe"))
            }
            do {
                compressor = try compression?.sink(environment.output)
            } catch {
                throw CommandFailure(writing: name, error)
            }
            dataSink = compressor ?? environment.dataOutput
            return
        }
        guard !path.isEmpty else {
            throw .diagnostic(
                .usage("the name of the output is empty", remedy: "use - for standard output"))
        }
        name = SafeText.escaping(path)
        isTerminal = false
        do {
            let file = try AtomicFile(path, existing, services: environment.services)
            target = .file(file)
            compressor = try compression?.sink(file)
            dataSink = compressor ?? file
        } catch {
            let failure = CommandFailure(writing: SafeText.escaping(path), error)
            guard error.code == .alreadyExists, case .diagnostic(var diagnostic) = failure
            else { throw failure }
            // Only commands with the option reject existing files.
            diagnostic.remedy = "replace it with --force"
            throw .diagnostic(diagnostic)
        }
    }

    var sink: any ByteSink {
        if let compressor { return compressor }
        return switch target {
        case .stream(let sink): sink
        case .file(let file): file
        }
    }

    /// The size of the written file; `nil` for a stream.
    var fileSize: UInt64? {
        if case .file(let file) = target { file.size } else { nil }
    }

    /// Returns the output as an SQLite database; it is empty at first.
    func sqlite(_ environment: CommandEnvironment) throws(CommandFailure) -> SQLiteOutput {
        if let database { return database }
        guard case .file(let file) = target else {
            throw .diagnostic(
                .usage(
                    "sqlite cannot be written to a stream",
                    remedy: "name a file, such as out.sqlite"))
        }
        guard compressor == nil else {
            throw .diagnostic(
                .usage(
                    "a database of SQLite cannot be compressed as it is written",
                    remedy: "name it \(Compression.nameOfContent(name)), and compress it then"))
        }
        let database = try SQLiteOutput(file.temporaryPath, name: name) {
            environment.pendingSignal() != nil
        }
        self.database = database
        return database
    }

    /// Finishes the compression or the database, and gives a file its final name.
    func commit() throws(CommandFailure) {
        let isWrittenHere = database == nil
        if let finished = database {
            try finished.finish()
            notes = finished.losses.notes
            // The last reference closes the database.
            database = nil
        }
        do {
            try compressor?.finish()
            if case .file(let file) = target {
                if !isWrittenHere { try file.updateSize() }
                try file.commit()
            }
        } catch {
            throw failure(error)
        }
    }

    /// Removes an incomplete file.
    func abandon() {
        if case .file(let file) = target { file.abandon() }
    }

    func failure(_ error: PlatformError) -> CommandFailure {
        CommandFailure(writing: name, error)
    }
}
