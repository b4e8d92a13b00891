import FirnEngine
import FirnFormats
import FirnPlatform
import FirnValues

/// One run of `compact`.
struct CompactRun: CommandRun {
    private let options: CompactCommand
    private let line: Progress
    private let environment: CommandEnvironment
    private let state = CompactionState()

    init(_ options: CompactCommand, _ environment: CommandEnvironment) {
        self.options = options
        self.environment = environment
        line = Progress(options.progress.progress, quiet: options.isQuiet, environment)
    }

    /// Returns what is on disk; `nil` for a database that is compacted in place, which has a report
    /// of the completed part.
    func stateAfterInterruption() -> String? {
        let file = SafeText.escaping(options.file)
        guard let output = options.output else {
            if options.dryRun { return "\(file) was only read" }
            return state.hasBegun ? nil : "\(file) is unchanged"
        }
        return "\(SafeText.escaping(output)) was not written, and \(file) was only read"
    }

    func run() throws(CommandFailure) -> ExitStatus {
        defer { line.clear() }
        if options.output == nil, !options.dryRun {
            try compactInPlace()
        } else {
            try read()
        }
        return .ok
    }

    private func compactInPlace() throws(CommandFailure) {
        try WritableDatabase.with(
            options.file, wait: options.waiting.span(environment), environment
        ) { (database) throws(CommandFailure) in
            var report = try look(at: database.store)
            if report.skipReason == nil { try compact(database, &report) }
            try print(report)
        }
    }

    /// Copies the database, or only reports what could be reclaimed.
    private func read() throws(CommandFailure) {
        let store = try CommandFailure.converting(
            Store.open(
                options.file, readOnly: true, services: environment.services))
        environment.reportOpened(options.file, store)
        var report = try look(at: store)
        if report.skipReason == nil, let output = options.output {
            try copy(store, to: output, &report)
        } else if report.skipReason == nil {
            report.isDryRun = true
            report.after = report.before - min(report.before, report.space.reclaimableByteCount)
        }
        try print(report)
    }

    /// Reports the current space, and whether compaction is worthwhile.
    private func look(at store: Store) throws(CommandFailure) -> CompactReport {
        var report: CompactReport
        do {
            report = CompactReport(
                file: options.file, version: try store.snapshot().version,
                space: try store.spaceReport(), freezes: try store.versions().freezes.map(\.freeze),
                now: environment.services.clock.wallTime().seconds)
        } catch { throw CommandFailure(error) }
        if let size = options.minSize, report.before < size.count {
            report.skipReason =
                "\(Formatting.bytes(report.before)) is less than \(Formatting.bytes(size.count))"
        } else if let least = options.ifWasted,
            !least.isReached(by: report.space.reclaimableByteCount, of: report.before)
        {
            report.skipReason =
                "\(Formatting.bytes(report.space.reclaimableByteCount)) of "
                + "\(Formatting.bytes(report.before)) can be reclaimed, less than \(least.percent)%"
        }
        return report
    }

    private func compact(
        _ database: WritableDatabase, _ report: inout CompactReport
    ) throws(CommandFailure) {
        var compaction = CompactionOptions()
        compaction.compression = options.codec.level
        let done = try database.compact(compaction) { progress in
            state.hasBegun = true
            line.update(
                "compacting \(options.file)", done: progress.doneByteCount,
                of: progress.totalByteCount)
            return environment.pendingSignal() == nil
        }
        line.clear()
        report.space = done.after
        report.after = done.after.fileByteCount
        report.version = done.version
        do {
            try environment.checkSignals()
        } catch {
            if !options.isQuiet { environment.note("interrupted: \(report.text)") }
            throw error
        }
        if options.verify { try verify(database.store) }
    }

    private func copy(
        _ store: Store, to output: String, _ report: inout CompactReport
    ) throws(CommandFailure) {
        var compaction = CompactionOptions()
        compaction.compression = options.codec.level
        let snapshot = try CommandFailure.converting(store.snapshot())
        let bytes = try VersionCopying(store: store, line: line, environment: environment)
            .copy(snapshot, to: output, compaction)
        report.output = output
        report.version = snapshot.version
        report.after = bytes
        guard options.verify else { return }
        let copied = try CommandFailure.converting(
            Store.open(output, readOnly: true, services: environment.services))
        try verify(copied)
    }

    private func verify(_ store: Store) throws(CommandFailure) {
        line.update("checking \(store.path)", done: 0, of: nil)
        var verifier = Verifier(store, isDeep: true)
        let findings = try CommandFailure.converting(verifier.run().findings)
        guard findings.isEmpty else { throw .diagnostic(Diagnostic(findings, in: store.path)) }
    }

    private func print(_ report: CompactReport) throws(CommandFailure) {
        line.clear()
        guard !options.isQuiet else { return }
        var report = report
        report.nanoseconds = line.elapsed
        let text = options.reporting.format.isText(environment) ? report.text : report.json
        if report.isDryRun || report.skipReason != nil {
            try environment.print(text)
        } else {
            try environment.printReport(
                text, of: "compacted \(SafeText.escaping(options.file))")
        }
        // A copy holds no older versions, even if the original does.
        if report.output == nil, let held = report.heldText { environment.note(held) }
    }
}

/// Whether a compaction in place has begun to move pages.
private final class CompactionState {
    var hasBegun = false
}
