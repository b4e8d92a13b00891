import FirnEngine
import FirnFormats
import FirnPlatform
import FirnQuery
import FirnValues

/// One run of `alter`: applies the changes in one transaction.
struct AlterRun: CommandRun {
    private let options: AlterCommand
    private let environment: CommandEnvironment
    private let line: Progress

    init(_ options: AlterCommand, _ environment: CommandEnvironment) {
        self.options = options
        self.environment = environment
        line = Progress(options.progress.progress, quiet: options.isQuiet, environment)
    }

    /// Returns what is on disk: a signal ends the changes only before the commit of their
    /// transaction.
    func stateAfterInterruption() -> String? { "\(SafeText.escaping(options.file)) is unchanged" }

    func run() throws(CommandFailure) -> ExitStatus {
        defer { line.clear() }
        var parser = try SchemaChangeParser(options.changes)
        let wanted = try parser.changes()
        guard !wanted.isEmpty else {
            throw .diagnostic(
                .usage("no change given", remedy: SchemaChangeText.usage()))
        }
        return try WritableDatabase.with(
            options.file, wait: options.waiting.span(environment), note: options.noting.note ?? "",
            environment
        ) { (database) throws(CommandFailure) in
            try alter(database, wanted)
            return .ok
        }
    }

    private func alter(
        _ database: WritableDatabase, _ wanted: [SchemaChangeText]
    ) throws(CommandFailure) {
        let transaction = try database.begin()
        let previous = try database.version(of: transaction)
        var run = SchemaChangeRun(
            transaction: transaction, file: options.file,
            work: ConversionProgress(line, environment))
        for change in wanted {
            try environment.checkSignals()
            try run.run(change)
        }
        var version = previous
        do {
            if !options.dryRun { version = try transaction.commit() }
        } catch { throw database.failure(error) }
        let committed =
            "committed version \(version.rawValue) of \(SafeText.escaping(options.file))"
        let bytes: UInt64
        do { bytes = try database.store.fileStatus().size } catch {
            let failure = database.failure(error)
            throw options.dryRun ? failure : failure.after(committed)
        }
        line.clear()
        guard !options.isQuiet else { return }
        let elapsed = line.elapsed
        for link in run.links where link.unmatched > 0 { environment.note(link.text + "\n") }
        let report =
            options.reporting.format.isText(environment)
            ? text(wanted.count, run.deletedCount, version, bytes)
            : json(wanted.count, run, version, previous, bytes, elapsed)
        guard !options.dryRun else { return try environment.print(report) }
        try environment.printReport(report, of: committed)
    }

    private func text(_ count: Int, _ deleted: UInt64, _ version: LSN, _ bytes: UInt64) -> String {
        "\(options.dryRun ? "would change" : "changed") \(SafeText.escaping(options.file)): "
            + "\(Formatting.count(UInt64(count), "change")), "
            + (deleted > 0 ? "\(Formatting.count(deleted, "object")) deleted, " : "")
            + "version \(version.rawValue), "
            + "\(Formatting.bytes(bytes))\n"
    }

    private func json(
        _ count: Int, _ run: SchemaChangeRun, _ version: LSN, _ previous: LSN, _ bytes: UInt64,
        _ nanoseconds: UInt64
    ) -> String {
        var json = JSONObject()
        json.add("v", 1)
        json.add("type", "alter")
        json.add("file", options.file)
        json.add("version", Int64(clamping: version.rawValue))
        json.add("prev", Int64(clamping: previous.rawValue))
        json.add("changes", Int64(count))
        json.add("deleted", Int64(clamping: run.deletedCount))
        if !run.links.isEmpty { json.add("links", run.links.map(LinkOutcome.record)) }
        if options.dryRun { json.add("dryRun", true) }
        json.add("bytes", Int64(clamping: bytes))
        json.add("seconds", nanoseconds: nanoseconds)
        return json.text + "\n"
    }
}
