import FirnEngine
import FirnFormats
import FirnQuery
import FirnSyntax
import FirnText
import FirnTools
import FirnValues

/// `.begin`, `.commit`, `.cancel`, `.diff`, `.undo`, `.insert`, `.read`, `.write`, `.export`.
extension Session {
    /// The maximum nesting depth of statement files.
    private static let readingDepthMax = 16

    func data(
        _ name: DotCommandName, _ arguments: DotArguments
    ) throws(CommandFailure) {
        switch name {
        case .begin:
            try arguments.none()
            try begin()
        case .commit:
            try arguments.none()
            let count = try openTransaction().changeCount
            let version = try commit()
            reportChange(Formatting.count(count, "change"), version)
        case .cancel:
            try arguments.none()
            report("\(Formatting.count(try cancel(), "change")) cancelled")
        case .diff: try showChanges(arguments)
        case .undo: try undo(arguments)
        case .insert: try insert(arguments)
        case .read: try read(arguments)
        case .write: try write(arguments)
        default: try export(arguments)
        }
    }

    // MARK: Objects

    private func insert(_ arguments: DotArguments) throws(CommandFailure) {
        guard let name = arguments.word(0) else { throw arguments.wrong() }
        let json = arguments.words.rest(after: 1)
        guard !json.isEmpty else { throw arguments.wrong() }
        do throws(CommandFailure) {
            try write(["-c", name, "--input", "json", "-"], input: json)
        } catch { throw InsertRefusal.told(error) }
    }

    private func write(_ arguments: DotArguments) throws(CommandFailure) {
        try checkSafe("access to other files")
        guard arguments.count > 0 else { throw arguments.wrong() }
        var words = arguments.words.words
        if !words.contains("-c"), !words.contains("--class"), let className {
            words = ["-c", className] + words
        }
        guard !words.contains("-") else {
            throw arguments.wrong("standard input already supplies the statements")
        }
        do throws(CommandFailure) {
            try write(words, input: "")
        } catch {
            // A separate command creates classes.
            guard case .diagnostic(var diagnostic) = error,
                diagnostic.remedy?.hasPrefix("--create") ?? false
            else { throw error }
            diagnostic.remedy = nil
            throw .diagnostic(diagnostic)
        }
    }

    /// - Parameter input: the standard input of the command.
    private func write(_ words: [String], input: String) throws(CommandFailure) {
        let path = try openDatabase().path
        let writing = try JoinedWrite(words, file: path)
        var inner = environment
        inner.input = MemorySource(Array(input.utf8), name: InsertRefusal.inputName)
        var counts = JoinedWrite.Counts()
        let done = try changing { transaction throws(CommandFailure) in
            counts = try writing.run(
                in: transaction, of: try openDatabase().writing(), inner)
            return counts.changed
        }
        reportChange(Session.text(counts), done.version)
        if counts.rejected > 0, !isInteractive {
            throw .ended(status: ExitStatus.data.rawValue)
        }
    }

    private static func text(_ counts: JoinedWrite.Counts) -> String {
        let parts = [
            (counts.inserted, "inserted"), (counts.updated, "updated"), (counts.deleted, "deleted"),
            (counts.unchanged, "unchanged"), (counts.rejected, "rejected"),
        ].filter { $0.0 > 0 }.map { "\(Formatting.count($0.0)) \($0.1)" }
        return parts.isEmpty ? "nothing to do" : parts.joined(separator: ", ")
    }

    private func export(_ arguments: DotArguments) throws(CommandFailure) {
        try checkSafe("access to other files")
        guard let file = arguments.word(0) else { throw arguments.wrong() }
        try checkNoTransaction("export")
        let text = arguments.words.rest(after: 1)
        guard !text.isEmpty else { return try perform("export", [file] + versionWords) }
        let query = try onlyQuery(text)
        var words = [file, query.text] + versionWords
        if let name = query.defaultClass { words += ["-c", name] }
        if let zone = settings.zone { words += ["--timezone", zone] }
        for (name, value) in variables.sorted(by: { $0.key < $1.key }) {
            switch value {
            case .string(let text): words += ["-p", "\(name)=\(text)"]
            case .int, .double, .bool: words += ["-p", "\(name):=\(Canonical.literal(value))"]
            // There is no equivalent option; a query that needs it reports this.
            default: break
            }
        }
        try perform("export", words)
    }

    // MARK: Statements of a file

    private func read(_ arguments: DotArguments) throws(CommandFailure) {
        try checkSafe("access to other files")
        let path = arguments.count == 1 ? arguments.words.words[0] : arguments.text
        guard !path.isEmpty else { throw arguments.wrong() }
        guard readingDepth < Session.readingDepthMax else {
            throw .diagnostic(
                Diagnostic(
                    .limitExceeded,
                    "files are nested more than \(Session.readingDepthMax) levels deep"))
        }
        readingDepth += 1
        defer { readingDepth -= 1 }
        let hadTransaction = transaction != nil
        let lines = StreamLines(
            try OpenedInput(path, environment).source, notices: notices,
            pendingSignal: environment.pendingSignal)
        let script = Script(self, lines)
        do throws(CommandFailure) {
            if let status = try script.run() { throw CommandFailure.ended(status: status) }
        } catch {
            if !hadTransaction { rollBack() }
            throw error
        }
        if !hadTransaction, transaction != nil { throw unfinishedTransaction(path) }
    }

    /// Rolls back a transaction when the session ends.
    func rollBack() {
        transaction?.transaction.rollback()
        transaction = nil
    }

    /// Rolls back the changes of a script that ended inside a transaction.
    func unfinishedTransaction(_ name: String) -> CommandFailure {
        let count = transaction?.changeCount ?? 0
        rollBack()
        var diagnostic = Diagnostic(
            .transactionOpen,
            "\(SafeText.escaping(name)) ended inside a transaction: "
                + "\(Formatting.count(count, "change")) rolled back")
        diagnostic.remedy = "end the transaction with .commit"
        return .diagnostic(diagnostic)
    }

    // MARK: Versions

    private func showChanges(_ arguments: DotArguments) throws(CommandFailure) {
        try arguments.none()
        let open = try openTransaction()
        try checkTransaction()
        let listing: ChangeListing
        do throws(StoreError) {
            listing = try ChangeListing(
                try open.transaction.changes(), from: open.base,
                to: try open.transaction.snapshot())
        } catch { throw CommandFailure(error) }
        try show(text: environment.plain(listing.text), json: listing.json)
        if listing.isEmpty { report("no changes") }
    }

    /// Returns the version before the last commit that changed objects, and its changes.
    ///
    /// Freezes and the like are commits too, but do not change objects.
    private func lastChange(
        before newest: Snapshot, _ store: Store
    ) throws(StoreError) -> (old: Snapshot, changes: VersionChanges) {
        var count: UInt64 = 1
        while true {
            let old: Snapshot
            do throws(StoreError) { old = try store.snapshot(at: .back(count)) } catch {
                guard count > 1 else { throw error }
                throw StoreError(
                    error.code, path: error.path,
                    detail: "nothing has changed since version "
                        + "\(newest.version.rawValue + 1 - count), "
                        + "and earlier changes are no longer kept")
            }
            let changes = try store.changes(from: old, to: newest)
            if !changes.isEmpty { return (old, changes) }
            count += 1
        }
    }

    /// Undoes, with a new commit, the last commit that changed objects.
    private func undo(_ arguments: DotArguments) throws(CommandFailure) {
        let named = try arguments.onlyIfAny()
        try checkNoTransaction("undo a commit")
        var undone = LSN(0)
        let done = try changing { transaction throws(CommandFailure) in
            let database = try openDatabase()
            let found: (old: Snapshot, changes: VersionChanges)
            do throws(StoreError) {
                let newest = try transaction.snapshot()
                found = try lastChange(before: newest, database.database.store)
            } catch { throw try database.writing().failure(error) }
            undone = LSN(found.old.version.rawValue + 1)
            try checkUndo(of: undone, named: named)
            do throws(StoreError) {
                guard !found.changes.schemaChanged, !found.changes.indexesChanged else {
                    throw StoreError(
                        .invalidSchema, path: database.path,
                        detail:
                            "version \(undone.rawValue) changed the schema, which cannot be undone")
                }
                try transaction.revert(found.changes, to: found.old)
            } catch { throw try database.writing().failure(error) }
            return found.changes.classes.values.reduce(0) { sum, change in
                sum
                    + UInt64(change.created.count + change.deleted.count + change.modified.count)
            }
        }
        reportChange(
            "v\(undone.rawValue) undone: \(Formatting.count(done.count, "object"))", done.version)
    }

    /// Refuses to undo a version other than the named one, or, without a name, a version that
    /// another process may have committed.
    private func checkUndo(of version: LSN, named: String?) throws(CommandFailure) {
        if let named {
            guard named != "\(version.rawValue)", named != "v\(version.rawValue)" else { return }
            throw .diagnostic(
                .usage(
                    "the last commit that changed objects is version \(version.rawValue)",
                    remedy: "only that one can be undone: .undo \(version.rawValue)"))
        }
        guard !ownVersions.contains(version) else { return }
        throw .diagnostic(
            .usage(
                "version \(version.rawValue) was not committed in this session",
                remedy: "undo it anyway with: .undo \(version.rawValue)"
            ))
    }
}
