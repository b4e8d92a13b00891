import FirnEngine
import FirnPlatform
import FirnQuery
import FirnValues

/// `freeze -o`: writes a version as a database of its own.
struct FreezeCopy {
    private let command: FreezeCommand
    private let output: String
    private let surroundings: Surroundings

    init(_ command: FreezeCommand, to output: String, _ surroundings: Surroundings) {
        self.command = command
        self.output = output
        self.surroundings = surroundings
    }

    func run() throws(CommandFailure) -> ExitStatus {
        let line = Progress(
            command.progress.progress, quiet: command.common.quiet, surroundings)
        defer { line.clear() }
        let open = try OpenDatabase(
            command.file, at: command.version?.reference, surroundings)
        let snapshot = open.snapshot.snapshot
        let bytes = try VersionCopying(
            store: open.database.store, line: line, surroundings: surroundings
        ).copy(snapshot, to: output, CompactionOptions())
        line.clear()
        if !command.common.quiet { try report(snapshot, bytes, line.elapsed) }
        return .ok
    }

    private func report(
        _ snapshot: Snapshot, _ bytes: UInt64, _ nanoseconds: UInt64
    ) throws(CommandFailure) {
        let version = snapshot.version.rawValue
        guard !command.format.isText(surroundings) else {
            return try surroundings.print(
                "wrote \(SafeText.escaping(output)): "
                    + "\(Amounts.count(snapshot.objectCount, "object")) of version \(version), "
                    + "\(Amounts.bytes(bytes))\n")
        }
        var json = JSONObject()
        json.add("v", 1)
        json.add("type", "freeze")
        json.add("file", command.file)
        json.add("output", output)
        json.add("version", Int64(clamping: version))
        json.add("objects", Int64(clamping: snapshot.objectCount))
        json.add("bytes", Int64(clamping: bytes))
        json.add("seconds", nanoseconds: nanoseconds)
        try surroundings.print(json.text + "\n")
    }
}

/// Writes a version as a database of its own, with progress, until a signal comes.
struct VersionCopying {
    let store: Store
    let line: Progress
    let surroundings: Surroundings

    /// - Returns: the size of the copy in bytes.
    func copy(
        _ snapshot: Snapshot, to output: String, _ options: CompactionOptions
    ) throws(CommandFailure) -> UInt64 {
        guard !output.isEmpty else {
            throw .diagnostic(.usage("the name of the copy is empty"))
        }
        try CommandFailure.checkName(output)
        let bytes: UInt64?
        do throws(StoreError) {
            bytes = try store.copy(snapshot, to: output, options) { progress in
                line.update(
                    "writing \(output)", done: progress.doneByteCount,
                    of: progress.totalByteCount)
                return surroundings.pendingSignal() == nil
            }
        } catch { throw failure(error, output) }
        try surroundings.checkSignals()
        guard let bytes else {
            throw .diagnostic(
                Diagnostic(.internalError, "the copy ended before it was complete"))
        }
        return bytes
    }

    /// Nothing of the copy can be missing but the folder that it should stand in.
    private func failure(_ error: StoreError, _ output: String) -> CommandFailure {
        guard error.path != store.path || error.code == .exists else {
            return CommandFailure(error)
        }
        return CommandFailure(creating: output, error)
    }
}
