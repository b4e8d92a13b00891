import FirnEngine
import FirnPlatform
import FirnValues

/// One run of `compact`.
struct CompactRun {
    private let command: CompactCommand
    private let line: Progress
    private let environment: CommandEnvironment

    init(_ command: CompactCommand, _ line: Progress, _ environment: CommandEnvironment) {
        self.command = command
        self.line = line
        self.environment = environment
    }

    func run() throws(CommandFailure) {
        if command.output == nil, !command.dryRun {
            return try WritableDatabase.with(
                command.file, wait: command.waiting.span(environment), environment
            ) { (database) throws(CommandFailure) in
                var report = try look(at: database.store)
                if report.skipReason == nil { try compact(database, &report) }
                try tell(report)
            }
        }
        let store: Store
        do {
            store = try Store.open(
                command.file, readOnly: true, services: environment.services)
        } catch { throw CommandFailure(error) }
        environment.tellOpened(command.file, store)
        var report = try look(at: store)
        if report.skipReason == nil, let output = command.output {
            try copy(store, to: output, &report)
        } else if report.skipReason == nil {
            report.isDryRun = true
            report.after = report.before - min(report.before, report.space.reclaimableByteCount)
        }
        try tell(report)
    }

    /// Reports the current space, and whether compaction is worthwhile.
    private func look(at store: Store) throws(CommandFailure) -> CompactReport {
        var report: CompactReport
        do throws(StoreError) {
            report = CompactReport(
                file: command.file, version: try store.snapshot().version,
                space: try store.spaceReport(), freezes: try store.versions().freezes.map(\.freeze),
                now: environment.services.clock.wallTime().seconds)
        } catch { throw CommandFailure(error) }
        if let size = command.minSize, report.before < size.count {
            report.skipReason =
                "\(Formatting.bytes(report.before)) is less than \(Formatting.bytes(size.count))"
        } else if let least = command.ifWasted,
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
        var options = CompactionOptions()
        options.compression = command.codec.level
        let done = try database.compact(options) { progress in
            line.update(
                "compacting \(command.file)", done: progress.doneByteCount,
                of: progress.totalByteCount)
            return environment.pendingSignal() == nil
        }
        line.clear()
        report.space = done.after
        report.after = done.after.fileByteCount
        report.version = done.version
        do throws(CommandFailure) {
            try environment.checkSignals()
        } catch {
            if !command.common.quiet { environment.note("interrupted: \(report.text)") }
            throw error
        }
        if command.verify { try verify(database.store) }
    }

    private func copy(
        _ store: Store, to output: String, _ report: inout CompactReport
    ) throws(CommandFailure) {
        var options = CompactionOptions()
        options.compression = command.codec.level
        let snapshot: Snapshot
        do { snapshot = try store.snapshot() } catch { throw CommandFailure(error) }
        let bytes = try VersionCopying(store: store, line: line, environment: environment)
            .copy(snapshot, to: output, options)
        report.output = output
        report.version = snapshot.version
        report.after = bytes
        guard command.verify else { return }
        let copied: Store
        do {
            copied = try Store.open(output, readOnly: true, services: environment.services)
        } catch { throw CommandFailure(error) }
        try verify(copied)
    }

    private func verify(_ store: Store) throws(CommandFailure) {
        line.update("checking \(store.path)", done: 0, of: nil)
        var verifier = Verifier(store, isDeep: true)
        let findings: [Finding]
        do { findings = try verifier.run().findings } catch { throw CommandFailure(error) }
        guard findings.isEmpty else { throw .diagnostic(Diagnostic(findings, in: store.path)) }
    }

    private func tell(_ report: CompactReport) throws(CommandFailure) {
        line.clear()
        guard !command.common.quiet else { return }
        var report = report
        report.nanoseconds = line.elapsed
        let text = command.reporting.format.isText(environment) ? report.text : report.json
        if report.isDryRun || report.skipReason != nil {
            try environment.print(text)
        } else {
            try environment.printReport(
                text, of: "compacted \(SafeText.escaping(command.file))")
        }
        // A copy holds no older versions, even if the original does.
        if report.output == nil, let held = report.heldText { environment.note(held) }
    }
}
