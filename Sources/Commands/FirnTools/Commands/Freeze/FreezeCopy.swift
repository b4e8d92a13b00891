import FirnEngine
import FirnFormats
import FirnPlatform
import FirnQuery
import FirnValues

/// `freeze -o`: copies a version to a new database.
struct FreezeCopy {
    private let options: FreezeCommand
    private let output: String
    private let environment: CommandEnvironment

    init(_ options: FreezeCommand, to output: String, _ environment: CommandEnvironment) {
        self.options = options
        self.output = output
        self.environment = environment
    }

    func run() throws(CommandFailure) -> ExitStatus {
        let line = Progress(
            options.progress.progress, quiet: options.isQuiet, environment)
        defer { line.clear() }
        let open = try OpenDatabase(
            options.file, at: options.version?.reference, environment)
        let snapshot = open.snapshot.snapshot
        let bytes = try VersionCopying(
            store: open.database.store, line: line, environment: environment
        ).copy(snapshot, to: output, CompactionOptions())
        line.clear()
        if !options.isQuiet { try report(snapshot, bytes, line.elapsed) }
        return .ok
    }

    private func report(
        _ snapshot: Snapshot, _ bytes: UInt64, _ nanoseconds: UInt64
    ) throws(CommandFailure) {
        let version = snapshot.version.rawValue
        guard !options.format.isText(environment) else {
            return try environment.print(
                "wrote \(SafeText.escaping(output)): "
                    + "\(Formatting.count(snapshot.objectCount, "object")) of version \(version), "
                    + "\(Formatting.bytes(bytes))\n")
        }
        var json = JSONObject()
        json.add("v", 1)
        json.add("type", "freeze")
        json.add("file", options.file)
        json.add("output", output)
        json.add("version", Int64(clamping: version))
        json.add("objects", Int64(clamping: snapshot.objectCount))
        json.add("bytes", Int64(clamping: bytes))
        json.add("seconds", nanoseconds: nanoseconds)
        try environment.print(json.text + "\n")
    }
}

/// Copies a version to a new database, with progress, until a signal arrives.
struct VersionCopying {
    let store: Store
    let line: Progress
    let environment: CommandEnvironment

    /// - Returns: the size of the copy in bytes.
    func copy(
        _ snapshot: Snapshot, to output: String, _ options: CompactionOptions
    ) throws(CommandFailure) -> UInt64 {
        guard !output.isEmpty else {
            throw .diagnostic(.usage("the name of the copy is empty"))
        }
        try CommandFailure.checkName(output)
        let bytes: UInt64?
        do {
            bytes = try store.copy(snapshot, to: output, options) { progress in
                line.update(
                    "writing \(output)", done: progress.doneByteCount,
                    of: progress.totalByteCount)
                return environment.pendingSignal() == nil
            }
        } catch { throw failure(error, output) }
        try environment.checkSignals()
        guard let bytes else {
            throw .diagnostic(
                Diagnostic(.internalError, "the copy ended before it was complete"))
        }
        return bytes
    }

    /// Returns the error.
    ///
    /// The only thing that can be missing is the folder of the copy.
    private func failure(_ error: StoreError, _ output: String) -> CommandFailure {
        guard error.path != store.path || error.code == .exists else {
            return CommandFailure(error)
        }
        return CommandFailure(creating: output, error)
    }
}
