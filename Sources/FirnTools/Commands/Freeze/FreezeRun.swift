import FirnEngine
import FirnPlatform
import FirnValues

/// One run of `freeze` that changes the database: adds or drops freezes.
struct FreezeRun {
    private let command: FreezeCommand
    private let environment: CommandEnvironment
    private let start: UInt64

    init(_ command: FreezeCommand, _ environment: CommandEnvironment) {
        self.command = command
        self.environment = environment
        start = environment.services.clock.monotonicNanoseconds()
    }

    // MARK: Making

    func make(_ name: String) throws(CommandFailure) -> ExitStatus {
        try WritableDatabase.with(
            command.file, wait: command.waiting.span(environment), environment
        ) {
            (database) throws(CommandFailure) in
            let report = try make(name, in: database)
            if !command.common.quiet {
                try environment.printReport(
                    command.format.isText(environment) ? report.text : report.json,
                    of: "froze \(SafeText.escaping(command.file))")
            }
            return .ok
        }
    }

    private func make(
        _ name: String, in database: WritableDatabase
    ) throws(CommandFailure) -> FreezeReport {
        let transaction = try database.begin()
        let base = try database.version(of: transaction)
        let reference = command.version?.reference
        let freeze: Freeze
        do throws(StoreError) {
            freeze = try transaction.freeze(
                name: name, at: reference,
                expires: command.expires?.seconds(
                    from: environment.services.clock.wallTime().seconds),
                note: command.note ?? "")
        } catch { throw VersionFailure.failure(error, at: reference, in: database.store) }
        let objectCount: UInt64
        var heldByteCount: UInt64 = 0
        do throws(StoreError) {
            _ = try transaction.commit()
            objectCount = try database.store.snapshot(at: .number(freeze.version)).objectCount
            if !command.common.quiet {
                heldByteCount = try database.store.heldByteCount(ofFreezeOf: freeze.version)
            }
        } catch { throw database.failure(error) }
        warn(freeze, base: base)
        return FreezeReport(
            file: command.file, freeze: freeze, objectCount: objectCount,
            heldByteCount: heldByteCount,
            nanoseconds: environment.services.clock.monotonicNanoseconds() &- start)
    }

    /// Warns of a freeze that never expires, which makes a changing file grow.
    private func warn(_ freeze: Freeze, base: LSN) {
        // A file that was only created may never change.
        guard command.expires == nil, !command.common.quiet, base > LSN(1) else { return }
        environment.note(
            """
            warning: freeze "\(SafeText.escaping(freeze.name))" does not expire, and holds more \
            space as the file changes
              drop it automatically with --expires 7d, or confirm with --expires never

            """)
    }

    // MARK: Dropping

    func drop() throws(CommandFailure) -> ExitStatus {
        try WritableDatabase.with(
            command.file, wait: command.waiting.span(environment), environment
        ) {
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
        guard !command.format.isText(environment) else {
            let list = names.map { "\"\(SafeText.escaping($0))\"" }.joined(separator: ", ")
            return try environment.printReport(
                "dropped \(names.count == 1 ? "freeze" : "freezes") \(list) of "
                    + "\(SafeText.escaping(command.file))\n", of: committed(version))
        }
        var json = JSONObject()
        json.add("v", 1)
        json.add("type", "freeze")
        json.add("file", command.file)
        json.add("dropped", names)
        json.add("version", Int64(clamping: version.rawValue))
        json.add(
            "seconds",
            nanoseconds: environment.services.clock.monotonicNanoseconds() &- start)
        try environment.printReport(json.text + "\n", of: committed(version))
    }

    private func committed(_ version: LSN) -> String {
        "committed version \(version.rawValue) of \(SafeText.escaping(command.file))"
    }
}

extension Snapshot {
    /// The number of objects of all classes.
    var objectCount: UInt64 {
        schema.classes.reduce(0) { $0 + UInt64(table($1.id)?.liveRowCount ?? 0) }
    }
}
