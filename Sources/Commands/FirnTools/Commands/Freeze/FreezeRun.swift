import FirnEngine
import FirnFormats
import FirnPlatform
import FirnValues

/// One run of `freeze`; adds and drops freezes itself.
struct FreezeRun: CommandRun {
    private let options: FreezeCommand
    private let environment: CommandEnvironment
    private let start: UInt64

    init(_ options: FreezeCommand, _ environment: CommandEnvironment) {
        self.options = options
        self.environment = environment
        start = environment.services.clock.monotonicNanoseconds()
    }

    func run() throws(CommandFailure) -> ExitStatus {
        switch options.action {
        case .make(let name): try make(name)
        case .drop(let names): try drop(names)
        case .list: try FreezeListing(options, environment).run()
        case .exists(let name): try FreezeListing(options, environment).exists(name)
        case .copy(let output): try FreezeCopy(options, to: output, environment).run()
        case .thaw(let name, let reference):
            try FreezeThaw(options, name, reference, environment).run()
        }
    }

    func stateAfterInterruption() -> String? {
        let file = SafeText.escaping(options.file)
        guard case .copy(let output) = options.action else { return "\(file) is unchanged" }
        return "\(SafeText.escaping(output)) was not written, and \(file) was only read"
    }

    // MARK: Making

    private func make(_ name: String) throws(CommandFailure) -> ExitStatus {
        try WritableDatabase.with(
            options.file, wait: options.waiting.span(environment), environment
        ) {
            (database) throws(CommandFailure) in
            let report = try make(name, in: database)
            if !options.isQuiet {
                try environment.printReport(
                    options.format.isText(environment) ? report.text : report.json,
                    of: "froze \(SafeText.escaping(options.file))")
            }
            return .ok
        }
    }

    private func make(
        _ name: String, in database: WritableDatabase
    ) throws(CommandFailure) -> FreezeReport {
        let transaction = try database.begin()
        let base = try database.version(of: transaction)
        let reference = options.version?.reference
        let freeze: Freeze
        do {
            freeze = try transaction.freeze(
                name: name, at: reference,
                expires: options.expires?.seconds(
                    from: environment.services.clock.wallTime().seconds),
                note: options.note ?? "")
        } catch { throw VersionFailure.failure(error, at: reference, in: database.store) }
        let objectCount: UInt64
        var heldByteCount: UInt64 = 0
        do { _ = try transaction.commit() } catch { throw database.failure(error) }
        do {
            objectCount = try database.store.snapshot(at: .number(freeze.version)).objectCount
            if !options.isQuiet {
                heldByteCount = try database.store.heldByteCount(ofFreezeOf: freeze.version)
            }
        } catch {
            throw database.failure(error).after("froze \(SafeText.escaping(options.file))")
        }
        warn(freeze, base: base)
        return FreezeReport(
            file: options.file, freeze: freeze, objectCount: objectCount,
            heldByteCount: heldByteCount,
            nanoseconds: environment.services.clock.monotonicNanoseconds() &- start)
    }

    /// Warns about a freeze that never expires, which makes a changing file grow.
    private func warn(_ freeze: Freeze, base: LSN) {
        // A file that was only created may never change.
        guard options.expires == nil, !options.isQuiet, base > LSN(1) else { return }
        environment.note(
            """
            warning: freeze "\(SafeText.escaping(freeze.name))" does not expire, and holds more \
            space as the file changes
              drop it automatically with --expires 7d, or confirm with --expires never

            """)
    }

    // MARK: Dropping

    private func drop(_ given: [String]) throws(CommandFailure) -> ExitStatus {
        try WritableDatabase.with(
            options.file, wait: options.waiting.span(environment), environment
        ) {
            (database) throws(CommandFailure) in
            var names: [String] = []
            for name in given where !names.contains(name) { names.append(name) }
            let version = try drop(names, in: database)
            if !options.isQuiet { try report(dropped: names, version) }
            return .ok
        }
    }

    private func drop(
        _ names: [String], in database: WritableDatabase
    ) throws(CommandFailure) -> LSN {
        let transaction = try database.begin()
        for name in names {
            do {
                try transaction.apply(.dropFreeze(name))
            } catch {
                throw VersionFailure.failure(error, at: .freeze(name), in: database.store)
            }
        }
        do { return try transaction.commit() } catch { throw database.failure(error) }
    }

    private func report(dropped names: [String], _ version: LSN) throws(CommandFailure) {
        guard !options.format.isText(environment) else {
            let list = names.map { "\"\(SafeText.escaping($0))\"" }.joined(separator: ", ")
            return try environment.printReport(
                "dropped \(names.count == 1 ? "freeze" : "freezes") \(list) of "
                    + "\(SafeText.escaping(options.file))\n", of: committed(version))
        }
        var json = JSONObject()
        json.add("v", 1)
        json.add("type", "freeze")
        json.add("file", options.file)
        json.add("dropped", names)
        json.add("version", Int64(clamping: version.rawValue))
        json.add(
            "seconds",
            nanoseconds: environment.services.clock.monotonicNanoseconds() &- start)
        try environment.printReport(json.text + "\n", of: committed(version))
    }

    private func committed(_ version: LSN) -> String {
        "committed version \(version.rawValue) of \(SafeText.escaping(options.file))"
    }
}

extension Snapshot {
    /// The number of objects of all classes.
    var objectCount: UInt64 {
        schema.classes.reduce(0) { $0 + UInt64(table($1.id)?.liveRowCount ?? 0) }
    }
}
