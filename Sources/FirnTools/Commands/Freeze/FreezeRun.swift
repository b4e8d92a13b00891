import FirnEngine
import FirnPlatform
import FirnValues

/// One run of `freeze` that changes the database: names a version, or takes names away.
struct FreezeRun {
    private let command: FreezeCommand
    private let surroundings: Surroundings
    private let start: UInt64

    init(_ command: FreezeCommand, _ surroundings: Surroundings) {
        self.command = command
        self.surroundings = surroundings
        start = surroundings.services.clock.monotonicNanoseconds()
    }

    // MARK: Making

    func make() throws(CommandFailure) -> ExitStatus {
        try WritableDatabase.with(command.file, wait: command.waiting.wait, surroundings) {
            (database) throws(CommandFailure) in
            let report = try make(in: database)
            if !command.common.quiet {
                try surroundings.print(
                    command.format.isText(surroundings) ? report.text : report.json)
            }
            return .ok
        }
    }

    private func make(in database: WritableDatabase) throws(CommandFailure) -> FreezeReport {
        // Chosen while nobody else writes: afterwards it might not be kept any more.
        let transaction = try database.begin()
        let snapshot = try snapshot(for: transaction, database.store)
        let now = surroundings.services.clock.wallTime().seconds
        let freeze = Freeze(
            name: command.names[0], version: snapshot.version, createdSeconds: now,
            expiresSeconds: command.expires?.seconds(from: now), note: command.note ?? "")
        let objectCount = snapshot.objectCount
        let versions: VersionsReport
        do throws(StoreError) {
            try transaction.apply(.freeze(freeze))
            _ = try transaction.commit()
            versions = try database.store.versions()
        } catch { throw database.failure(error) }
        warn(freeze, versions)
        return FreezeReport(
            file: command.file, freeze: freeze, objectCount: objectCount,
            heldByteCount: versions.freezes.first { $0.freeze.name == freeze.name }?.heldByteCount
                ?? 0,
            nanoseconds: surroundings.services.clock.monotonicNanoseconds() &- start)
    }

    private func snapshot(
        for transaction: WriteTransaction, _ store: Store
    ) throws(CommandFailure) -> Snapshot {
        let reference = command.version?.reference
        do throws(StoreError) {
            guard let reference else { return try transaction.snapshot() }
            return try store.snapshot(at: reference)
        } catch { throw VersionFailure.failure(error, at: reference, in: store) }
    }

    /// A freeze that nobody drops makes a file grow that changes: whoever wants that can say so.
    private func warn(_ freeze: Freeze, _ versions: VersionsReport) {
        // The commit of the freeze itself changes no data.
        let changes =
            versions.newest.rawValue - min(versions.newest.rawValue, versions.oldest.rawValue)
        guard command.expires == nil, !command.common.quiet, changes > 1 else { return }
        surroundings.tell(
            """
            warning: freeze "\(SafeText.escaping(freeze.name))" keeps what it needs until it is \
            dropped, and this file changes
              --expires 7d lets it go by itself, --expires never says that it is to stay

            """)
    }

    // MARK: Dropping

    func drop() throws(CommandFailure) -> ExitStatus {
        try WritableDatabase.with(command.file, wait: command.waiting.wait, surroundings) {
            (database) throws(CommandFailure) in
            var names: [String] = []
            for name in command.names where !names.contains(name) { names.append(name) }
            let version = try drop(names, in: database)
            if !command.common.quiet { try report(dropped: names, version) }
            return .ok
        }
    }

    private func drop(
        _ names: [String], in database: WritableDatabase
    ) throws(CommandFailure) -> LSN {
        let transaction = try database.begin()
        for name in names {
            do throws(StoreError) {
                try transaction.apply(.dropFreeze(name))
            } catch {
                throw VersionFailure.failure(error, at: .freeze(name), in: database.store)
            }
        }
        do { return try transaction.commit() } catch { throw database.failure(error) }
    }

    private func report(dropped names: [String], _ version: LSN) throws(CommandFailure) {
        guard !command.format.isText(surroundings) else {
            let list = names.map { "\"\(SafeText.escaping($0))\"" }.joined(separator: ", ")
            return try surroundings.print(
                "dropped \(names.count == 1 ? "freeze" : "freezes") \(list) of "
                    + "\(SafeText.escaping(command.file))\n")
        }
        var json = JSONObject()
        json.add("v", 1)
        json.add("type", "freeze")
        json.add("file", command.file)
        json.add("dropped", names)
        json.add("version", Int64(clamping: version.rawValue))
        json.add(
            "seconds",
            nanoseconds: surroundings.services.clock.monotonicNanoseconds() &- start)
        try surroundings.print(json.text + "\n")
    }
}

extension Snapshot {
    /// The number of objects of all classes.
    var objectCount: UInt64 {
        schema.classes.reduce(0) { $0 + UInt64(table($1.id)?.liveRowCount ?? 0) }
    }
}
