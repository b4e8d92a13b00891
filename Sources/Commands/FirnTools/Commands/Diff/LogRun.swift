import FirnEngine
import FirnFormats
import FirnPlatform
import FirnQuery
import FirnText
import FirnValues

/// One run of `log`, from the newest version to the oldest in the history.
struct LogRun: CommandRun {
    private let options: LogCommand
    private let environment: CommandEnvironment
    private let open: OpenDatabase
    private let line: Progress
    /// The only object whose changes are listed.
    private let object: ObjectHistory?

    init(_ options: LogCommand, _ environment: CommandEnvironment) throws(CommandFailure) {
        self.options = options
        self.environment = environment
        line = Progress(options.progress.progress, quiet: options.isQuiet, environment)
        open = try OpenDatabase(options.file, environment)
        object = options.object.flatMap { key in
            options.classNames.first.map {
                ObjectHistory(className: $0, key: key, path: options.file)
            }
        }
    }

    func stateAfterInterruption() -> String? { "\(SafeText.escaping(options.file)) was only read" }

    func run() throws(CommandFailure) -> ExitStatus {
        defer { line.clear() }
        let versions = try CommandFailure.converting(open.database.store.versions())
        let oldest = max(versions.oldest, try start() ?? versions.oldest)
        let freezes = Dictionary(grouping: versions.freezes.map(\.freeze), by: \.version)
        let limit = options.limit ?? .max
        try checkClasses(oldest)
        var entries: [LogEntry] = []
        var new = open.snapshot
        let newest = new.version.rawValue
        let output = LogOutput(options.format.resolved(environment), environment)
        while new.version > oldest, entries.count < limit, output.count < limit {
            try environment.checkSignals()
            line.update(
                "reading \(options.file)", done: newest - new.version.rawValue,
                of: newest - oldest.rawValue, .versions)
            let before = LSN(new.version.rawValue - 1)
            let old = try CommandFailure.converting(open.database.snapshot(at: .number(before)))
            let names = (freezes[new.version] ?? []).map(\.name)
            if let entry = try listed(try entry(from: old, to: new, names), from: old, to: new) {
                if options.summary {
                    entries.append(entry)
                } else {
                    line.clear()
                    try output.add(entry)
                }
            }
            new = old
        }
        line.clear()
        let showsOldest = options.since == nil && !options.summary && output.count < limit
        if showsOldest, new.version > .zero {
            let entry = try oldestEntry(new, (freezes[new.version] ?? []).map(\.name))
            if let entry = try listedOldest(entry, new) { try output.add(entry) }
        }
        if options.summary {
            try output.add(LogEntry(all: entries, newest: open.snapshot.version))
        }
        try output.finish()
        if output.count == 0, !options.isQuiet {
            environment.note(
                options.classNames.isEmpty
                    ? "no version after \(oldest.rawValue): no changes, or they are no longer kept\n"
                    : "no version that is kept has such a change\n")
        }
        return .ok
    }

    // MARK: Choosing

    /// Rejects a class that neither the newest nor the oldest version has.
    private func checkClasses(_ oldest: LSN) throws(CommandFailure) {
        let schema = open.snapshot.schema
        for name in options.classNames where schema.classNamed(name) == nil {
            let earlier = try CommandFailure.converting(
                open.database.snapshot(at: .number(oldest)))
            if earlier.schema.classNamed(name) == nil {
                _ = try schema.chosen(name, in: options.file)
            }
        }
        if let object { _ = try object.row(in: open.snapshot) }
    }

    /// Returns the requested part of an entry; `nil` if there is none.
    private func listed(
        _ entry: LogEntry, from old: DatabaseSnapshot, to new: DatabaseSnapshot
    ) throws(CommandFailure) -> LogEntry? {
        guard !options.classNames.isEmpty else { return entry }
        var entry = entry
        if let object {
            guard !entry.counts.isEmpty || entry.schemaChanged,
                let change = try object.change(from: old, to: new)
            else { return nil }
            entry.counts = [change.counts]
            entry.object = change
            return entry
        }
        if entry.schemaChanged {
            entry.counts.removeAll { !options.classNames.contains($0.className) }
            return entry
        }
        guard !entry.counts.isEmpty else { return nil }
        entry.counts = []
        for name in options.classNames {
            // A change of an embedded object is one of the object that it belongs to.
            let pairing = try CommandFailure.converting(
                ObjectPairing(of: name, old, new, of: open.database))
            var counts = DiffCounts(className: name)
            counts.inserted = UInt64(pairing.inserted.count)
            counts.updated = UInt64(pairing.common.count)
            counts.deleted = UInt64(pairing.deleted.count)
            if !counts.isEmpty { entry.counts.append(counts) }
        }
        return entry.counts.isEmpty ? nil : entry
    }

    private func listedOldest(
        _ entry: LogEntry, _ oldest: DatabaseSnapshot
    ) throws(CommandFailure) -> LogEntry? {
        guard !options.classNames.isEmpty else { return entry }
        var entry = entry
        entry.counts.removeAll { !options.classNames.contains($0.className) }
        guard let object else { return entry.counts.isEmpty && entry.isKnown ? nil : entry }
        guard try object.row(in: oldest) != nil else { return nil }
        if entry.isKnown {
            var counts = DiffCounts(className: object.className)
            counts.inserted = 1
            entry.counts = [counts]
        }
        return entry
    }

    private func start() throws(CommandFailure) -> LSN? {
        guard let reference = options.since?.reference else { return nil }
        do {
            return try open.database.snapshot(at: reference).version
        } catch {
            throw VersionFailure.failure(error, at: reference, in: open.database.store)
        }
    }

    /// Returns the entry of the oldest version, whose changes are known only if it is the first
    /// version.
    private func oldestEntry(
        _ oldest: DatabaseSnapshot, _ freezes: [String]
    ) throws(CommandFailure) -> LogEntry {
        var entry = LogEntry(
            version: oldest.version, commits: 1,
            commit: try CommandFailure.converting(
                open.database.store.commit(of: oldest.snapshot)),
            counts: [], schemaChanged: !oldest.schema.classes.isEmpty, freezes: freezes)
        guard oldest.version == LSN(1) else {
            entry.isKnown = false
            return entry
        }
        entry.counts = oldest.schema.classes.compactMap { schema in
            guard let count = oldest.snapshot.table(schema.id)?.liveRowCount, count > 0 else {
                return nil
            }
            var item = DiffCounts(className: schema.name)
            item.inserted = UInt64(count)
            return item
        }
        return entry
    }

    private func entry(
        from old: DatabaseSnapshot, to new: DatabaseSnapshot, _ freezes: [String]
    ) throws(CommandFailure) -> LogEntry {
        let changes = try CommandFailure.converting(open.database.changes(from: old, to: new))
        var counts: [DiffCounts] = []
        for (id, changed) in changes.classes.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
            guard let schema = new.schema[id] ?? old.schema[id] else { continue }
            var item = DiffCounts(className: schema.name)
            item.inserted = UInt64(changed.created.count)
            item.updated = UInt64(changed.modified.count)
            item.deleted = UInt64(changed.deleted.count)
            counts.append(item)
        }
        var entry = LogEntry(
            version: new.version, commits: 1, commit: changes.commit, counts: counts,
            schemaChanged: changes.schemaChanged || changes.indexesChanged, freezes: freezes)
        if entry.schemaChanged {
            entry.schema = SchemaDifference(from: old.schema, to: new.schema, isSameFile: true)
        }
        return entry
    }
}

/// The changes of one version, or of several consecutive versions.
struct LogEntry {
    let version: LSN
    let commits: Int
    /// The commit, or the newest of several; `nil` if it is not known.
    let commit: CommitMetadata?
    var counts: [DiffCounts]
    let schemaChanged: Bool
    /// The changes to the schema, if they are known.
    var schema: SchemaDifference?
    /// The freezes of the version.
    let freezes: [String]
    /// The change to the only object that is listed.
    var object: ObjectHistory.Change?
    /// Whether the changes are still in the history.
    var isKnown = true

    init(
        version: LSN, commits: Int, commit: CommitMetadata?, counts: [DiffCounts],
        schemaChanged: Bool,
        freezes: [String]
    ) {
        self.version = version
        self.commits = commits
        self.commit = commit
        self.counts = counts
        self.schemaChanged = schemaChanged
        self.freezes = freezes
    }

    init(all entries: [LogEntry], newest: LSN) {
        var counts: [DiffCounts] = []
        for item in entries.flatMap(\.counts) {
            if let index = counts.firstIndex(where: { $0.className == item.className }) {
                counts[index] = .sum([counts[index], item], className: item.className)
            } else {
                counts.append(item)
            }
        }
        self.init(
            version: newest, commits: entries.count,
            commit: entries.first?.commit, counts: counts,
            schemaChanged: entries.contains(where: \.schemaChanged),
            freezes: entries.flatMap(\.freezes))
    }

    private var annotation: Annotation? { commits == 1 ? commit?.annotation : nil }

    private var moment: String? {
        // Rounds down, also before 1970.
        commit.map { TextBuffer.moment(Int64((Double($0.time) / 1e9).rounded(.down))) }
    }

    /// Returns a line such as `v43  2026-11-21T08:00:00Z  Person +1 ~0 -0  by Bo  "a year older"
    /// (monday)`.
    func text(arrow: String) -> String {
        var parts = [
            commits == 1 ? "v\(version.rawValue)" : "\(Formatting.count(UInt64(commits), "commit"))"
        ]
        if let moment { parts.append(moment) }
        if !isKnown { parts.append("its changes are no longer kept") }
        parts += counts.map { "\(SafeText.escaping($0.className)) \($0.text)" }
        if schemaChanged, isKnown {
            let text = schema?.text ?? ""
            parts.append(text.isEmpty ? "schema changed" : "schema changed: \(text)")
        }
        if let object, !object.properties.isEmpty {
            parts.append(SafeText.escaping(object.text(arrow: arrow)))
        }
        if counts.isEmpty, !schemaChanged, isKnown { parts.append("no objects changed") }
        if let annotation {
            parts += Annotation.parts(author: annotation.author, note: annotation.note)
        }
        if !freezes.isEmpty {
            parts.append("(\(freezes.map(SafeText.escaping).joined(separator: ", ")))")
        }
        return parts.joined(separator: "  ")
    }

    var json: String {
        var json = JSONObject()
        json.add("v", 1)
        json.add("type", "version")
        json.add("version", Int64(clamping: version.rawValue))
        json.add("commits", Int64(commits))
        if let moment { json.add("time", moment) }
        if let annotation {
            if !annotation.author.isEmpty { json.add("author", annotation.author) }
            if !annotation.note.isEmpty { json.add("note", annotation.note) }
        }
        if isKnown {
            DiffCounts.sum(counts).add(to: &json)
            json.add("classes", counts.map(\.record))
            json.add("schemaChanged", schemaChanged)
            if let schema, !schema.changes.isEmpty { json.add("schema", schema.changes) }
            if let object, !object.properties.isEmpty {
                json.add("changed", object.properties.map(\.name))
                json.add("before", object.record(\.before))
                json.add("after", object.record(\.after))
            }
        }
        json.add("freezes", freezes)
        return json.text
    }
}

/// Prints the versions.
private final class LogOutput {
    private let format: RecordFormat.Resolved
    private let environment: CommandEnvironment
    private(set) var count = 0

    init(_ format: RecordFormat.Resolved, _ environment: CommandEnvironment) {
        self.format = format
        self.environment = environment
    }

    func add(_ entry: LogEntry) throws(CommandFailure) {
        switch format {
        case .text:
            let arrow = environment.drawsUnicode ? "→" : "->"
            try environment.print(entry.text(arrow: arrow) + "\n")
        case .ndjson: try environment.print(entry.json + "\n")
        case .json: try environment.print((count == 0 ? "[\n" : ",\n") + entry.json)
        }
        count += 1
    }

    func finish() throws(CommandFailure) {
        if format == .json { try environment.print(count == 0 ? "[]\n" : "\n]\n") }
    }
}
