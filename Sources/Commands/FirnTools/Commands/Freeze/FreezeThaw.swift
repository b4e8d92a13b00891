import FirnEngine
import FirnFormats
import FirnPlatform
import FirnValues

/// One run of `freeze --thaw`: restores an older version in one commit, which can be undone like
/// any other.
struct FreezeThaw {
    private let options: FreezeCommand
    /// The version as the user named it.
    private let name: String
    private let reference: VersionReference
    private let environment: CommandEnvironment

    init(
        _ options: FreezeCommand, _ name: String, _ reference: VersionReference,
        _ environment: CommandEnvironment
    ) {
        self.options = options
        self.name = name
        self.reference = reference
        self.environment = environment
    }

    func run() throws(CommandFailure) -> ExitStatus {
        let start = environment.services.clock.monotonicNanoseconds()
        return try WritableDatabase.with(
            options.file, wait: options.waiting.span(environment), environment
        ) {
            (database) throws(CommandFailure) in
            let thawed = try thaw(in: database)
            guard !options.isQuiet else { return .ok }
            do throws(CommandFailure) { try report(thawed, since: start) } catch {
                // If nothing had changed, nothing was committed.
                guard thawed.objectCount > 0 else { throw error }
                throw error.after(
                    "committed version \(thawed.new.rawValue) of "
                        + SafeText.escaping(options.file))
            }
            return .ok
        }
    }

    private struct Thawed {
        let old: LSN
        let new: LSN
        let objectCount: UInt64
    }

    private func thaw(in database: WritableDatabase) throws(CommandFailure) -> Thawed {
        let transaction = try database.begin()
        let old: Snapshot
        do { old = try database.store.snapshot(at: reference) } catch {
            transaction.rollback()
            throw VersionFailure.failure(error, at: reference, in: database.store)
        }
        do throws(StoreError) {
            let newest = try transaction.snapshot()
            let changes = try database.store.changes(from: old, to: newest)
            guard old.schema.listedClasses.isSameExceptIndexes(as: newest.schema.listedClasses)
            else {
                throw unequal(old, newest)
            }
            let difference = try ThawedDifference(changes, from: old, to: newest)
            guard !difference.changes.isEmpty else {
                transaction.rollback()
                return Thawed(old: old.version, new: newest.version, objectCount: 0)
            }
            try transaction.revert(difference.changes, to: old)
            return Thawed(
                old: old.version, new: try transaction.commit(),
                objectCount: difference.objectCount)
        } catch { throw database.failure(error) }
    }

    private func unequal(_ old: Snapshot, _ newest: Snapshot) -> StoreError {
        let (file, name) = (ShellWord.quoted(options.file), ShellWord.quoted(name))
        let back = SchemaDifference(from: newest.schema, to: old.schema, isSameFile: true)
        return StoreError(
            .invalidSchema, path: options.file,
            detail: "version \(old.version.rawValue) cannot be thawed: "
                + "the schema has changed since",
            remedy: back.onlyRemoves
                ? "restore its objects with: firn diff \(file) --from head --to \(name) "
                    + "| firn write \(file) --input observe -"
                : "copy it to a new database with: firn freeze \(file) --at \(name) -o OUT")
    }

    private func report(_ thawed: Thawed, since start: UInt64) throws(CommandFailure) {
        guard !options.format.isText(environment) else {
            let what =
                thawed.objectCount == 0
                ? "nothing has changed since"
                : "\(Formatting.count(thawed.objectCount, "object")) restored"
            return try environment.print(
                "thawed \"\(SafeText.escaping(name))\" of \(SafeText.escaping(options.file)): "
                    + "\(what), version \(thawed.new.rawValue)\n")
        }
        var json = JSONObject()
        json.add("v", 1)
        json.add("type", "freeze")
        json.add("file", options.file)
        json.add("thawed", name)
        json.add("from", Int64(clamping: thawed.old.rawValue))
        json.add("version", Int64(clamping: thawed.new.rawValue))
        json.add("objects", Int64(clamping: thawed.objectCount))
        json.add(
            "seconds",
            nanoseconds: environment.services.clock.monotonicNanoseconds() &- start)
        try environment.print(json.text + "\n")
    }
}
