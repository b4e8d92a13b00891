import FirnEngine
import FirnFormats
import FirnPlatform
import FirnValues

/// One run of `check`.
struct CheckRun: CommandRun {
    private let options: CheckCommand
    private let line: Progress
    private let environment: CommandEnvironment

    init(_ options: CheckCommand, _ environment: CommandEnvironment) {
        self.options = options
        self.environment = environment
        line = Progress(options.progress.progress, quiet: options.isQuiet, environment)
    }

    func stateAfterInterruption() -> String? {
        let file = SafeText.escaping(options.file)
        guard let salvage = options.salvage else { return "\(file) was only read" }
        return "\(SafeText.escaping(salvage)) was not created, and \(file) was only read"
    }

    func run() throws(CommandFailure) -> ExitStatus {
        defer { line.clear() }
        let start = environment.services.clock.monotonicNanoseconds()
        var report: VerificationReport?
        var damage: [(kind: String, message: String)] = []
        var saved: SalvageReport?
        do {
            let store = try Store.open(options.file, readOnly: true, services: environment.services)
            environment.reportOpened(options.file, store)
            var verifier = Verifier(
                store, isDeep: options.deep,
                samplePercent: options.sample.map({ max(1, Int($0.percent)) }) ?? 100,
                isStopped: environment.isInterrupted
            ) { progress in
                line.update(
                    "checking \(options.file)", done: progress.doneCount, of: progress.totalCount,
                    .objects)
            }
            let verified = try verifier.run()
            report = verified
            damage = verified.findings.map { ($0.kind.rawValue, $0.message) }
            if let salvage = options.salvage {
                saved = try self.salvage(store, to: salvage)
            }
        } catch {
            try environment.checkSignals()
            // A database that is too damaged to be opened is still a result.
            guard error.code == .corrupt || error.code == .logMissing && options.salvage != nil
            else {
                throw CommandFailure(error)
            }
            damage = [("file", error.detail)]
            if let salvage = options.salvage { saved = try salvageLeft(to: salvage) }
        }
        line.clear()
        let nanoseconds = environment.services.clock.monotonicNanoseconds() &- start
        if !options.isQuiet {
            let text = options.reporting.format.isText(environment)
            try environment.print(
                text
                    ? self.text(report, damage) + savedText(saved)
                    : json(report, damage, saved, nanoseconds))
        }
        return damage.isEmpty ? .ok : .no
    }

    private func salvage(_ store: Store, to target: String) throws(StoreError) -> SalvageReport {
        try store.salvage(try store.snapshot(), to: target) { progress in
            line.update(
                "saving \(target)", done: progress.doneCount, of: progress.totalCount, .objects)
            return environment.pendingSignal() == nil
        }
    }

    /// Salvages the data of a database that cannot be opened.
    ///
    /// - Returns: `nil` if nothing can be salvaged.
    private func salvageLeft(
        to target: String
    ) throws(CommandFailure) -> SalvageReport? {
        do {
            let store = try Store.openForSalvage(options.file, services: environment.services)
            return try salvage(store, to: target)
        } catch {
            try environment.checkSignals()
            guard error.code == .corrupt else { throw CommandFailure(error) }
            return nil
        }
    }

    private func text(
        _ report: VerificationReport?, _ damage: [(kind: String, message: String)]
    ) -> String {
        let name = SafeText.escaping(options.file)
        guard damage.isEmpty, let report else {
            var text = "\(name): damaged\n"
            for finding in damage {
                text += "  \(finding.kind): \(SafeText.escaping(finding.message))\n"
            }
            return text
        }
        let looked = [
            Formatting.count(UInt64(clamping: report.classCount), "class"),
            Formatting.count(UInt64(clamping: report.objectCount), "object"),
            Formatting.count(UInt64(clamping: report.pageCount), "page"),
        ]
        var text = "\(name): no damage found in \(looked.joined(separator: ", ")) "
        text += "of version \(report.version.rawValue)"
        if report.keptRootCount > 0 {
            text += ", nor in \(Formatting.count(UInt64(report.keptRootCount), "kept root"))"
            if report.keptCommitCount > 0 {
                text += " and \(Formatting.count(report.keptCommitCount, "kept commit"))"
            }
        }
        if options.sample != nil {
            text += "; a sample: \(report.checkedGroupCount) of "
            text += Formatting.count(UInt64(clamping: report.rowGroupCount), "row group")
        }
        text += "\n"
        for note in report.notes { text += "  note: \(SafeText.escaping(note.message))\n" }
        return text
    }

    /// Returns the number of saved objects, with a line for each class with losses.
    private func savedText(_ saved: SalvageReport?) -> String {
        guard let saved, let salvage = options.salvage else {
            return options.salvage == nil ? "" : "nothing could be salvaged\n"
        }
        let objectCount = saved.classes.reduce(UInt64(0)) { $0 + $1.objectCount }
        var text =
            "saved \(Formatting.count(objectCount, "object")) of version \(saved.version.rawValue) in "
            + "\(SafeText.escaping(salvage))\n"
        for item in saved.classes where item.lostCount > 0 {
            text += "  \(SafeText.escaping(item.name)): \(Formatting.count(item.lostCount)) of "
            text += Formatting.count(item.objectCount + item.lostCount, "object") + " are lost\n"
        }
        let others = [
            (saved.lostValueCount, "value"), (saved.lostLinkCount, "link"),
            (saved.orphanCount, "embedded object"),
        ].filter { $0.0 > 0 }.map { Formatting.count($0.0, $0.1) }
        if !others.isEmpty { text += "  also lost: \(others.joined(separator: ", "))\n" }
        return text
    }

    private func record(of saved: SalvageReport) -> JSONObject {
        var json = JSONObject()
        json.add("output", options.salvage ?? "")
        json.add("version", Int64(clamping: saved.version.rawValue))
        json.add(
            "classes",
            saved.classes.map { item in
                var json = JSONObject()
                json.add("name", item.name)
                json.add("objects", Int64(clamping: item.objectCount))
                json.add("lost", Int64(clamping: item.lostCount))
                return json
            })
        json.add("lostValues", Int64(clamping: saved.lostValueCount))
        json.add("lostLinks", Int64(clamping: saved.lostLinkCount))
        json.add("orphans", Int64(clamping: saved.orphanCount))
        return json
    }

    private func json(
        _ report: VerificationReport?, _ damage: [(kind: String, message: String)],
        _ saved: SalvageReport?, _ nanoseconds: UInt64
    ) -> String {
        var json = JSONObject()
        json.add("v", 1)
        json.add("type", "check")
        json.add("file", options.file)
        json.add("ok", damage.isEmpty)
        json.add("deep", options.deep)
        if let report {
            json.add("version", Int64(clamping: report.version.rawValue))
            json.add("classes", Int64(report.classCount))
            json.add("objects", Int64(report.objectCount))
            json.add("pages", Int64(report.pageCount))
            if options.sample != nil {
                json.add("rowGroups", Int64(report.rowGroupCount))
                json.add("sampled", Int64(report.checkedGroupCount))
            }
            json.add("keptRoots", Int64(report.keptRootCount))
            json.add("keptCommits", Int64(clamping: report.keptCommitCount))
        }
        json.add(
            "findings",
            damage.map { finding in
                var json = JSONObject()
                json.add("kind", finding.kind)
                json.add("message", finding.message)
                return json
            })
        if let notes = report?.notes, !notes.isEmpty {
            json.add("notes", notes.map(\.message))
        }
        if let saved { json.add("salvage", record(of: saved)) }
        json.add("seconds", nanoseconds: nanoseconds)
        return json.text + "\n"
    }
}
