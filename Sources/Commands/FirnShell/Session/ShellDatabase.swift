import FirnEngine
import FirnFormats
import FirnPlatform
import FirnQuery
import FirnTools
import FirnValues

/// The database of a session, which is first opened for reading, and for writing on the first
/// change.
final class ShellDatabase {
    /// The name as the user gave it.
    let path: String
    /// The absolute path, which does not depend on the working directory.
    let location: String
    /// The name of the only class of an input in memory.
    let className: String?
    /// Whether the file is an input, whose objects are in a database in memory.
    let isInMemory: Bool
    /// The version that is also on disk: the input itself, or the copy of a database in memory.
    private var savedVersion: LSN?
    private(set) var database: Database
    private var writable: WritableDatabase?
    private let environment: CommandEnvironment
    private let waitNanoseconds: UInt64?
    /// Whether the missing file was reported, so that it is reported once.
    private var toldMissing = false

    /// - Parameters:
    ///   - className: the name of the class of an input; by default, it is derived from its name.
    ///   - readInput: reads an input as the command line says.
    ///   - isQuiet: whether nothing is reported about an input.
    init(
        _ path: String, className: String? = nil, _ readInput: ShellInvocation.InputReader? = nil,
        waitNanoseconds: UInt64?, isQuiet: Bool = false, _ environment: CommandEnvironment
    ) throws(CommandFailure) {
        self.path = path
        self.environment = environment
        self.waitNanoseconds = waitNanoseconds
        let input: InputDatabase?
        do throws(CommandFailure) {
            database = try ShellDatabase.opened(path, environment)
            input = nil
        } catch {
            guard InputDatabase.canRead(path, after: error, environment) else { throw error }
            let made: InputDatabase
            if let readInput {
                made = try readInput(path, className, isQuiet, environment)
            } else {
                made = try InputDatabase(
                    path, className: className, isQuiet: isQuiet, environment)
            }
            database = try ShellDatabase.opened(made.path, environment)
            input = made
        }
        isInMemory = input != nil
        self.className = input?.className
        do { location = try environment.services.files.resolvedPath(input?.path ?? path) } catch {
            throw .diagnostic(Diagnostic(error, "cannot find \(path)"))
        }
        savedVersion = version
    }

    private static func opened(
        _ path: String, _ environment: CommandEnvironment
    ) throws(CommandFailure) -> Database {
        do throws(StoreError) {
            let database = try Database.open(
                path, readOnly: true, services: environment.services)
            // Checked now, so that an unreadable database does not replace the open one.
            _ = try database.snapshot()
            return database
        } catch { throw CommandFailure(error) }
    }

    // MARK: Saving

    /// The newest version; `nil` if it cannot be read, which the next operation reports.
    private var version: LSN? { try? database.snapshot().version }

    /// Whether the database is only in memory and was changed since it was read or saved.
    var hasUnsavedChanges: Bool { isInMemory && version != savedVersion }

    /// Records that the newest version was copied to a file.
    func noteSaved() { savedVersion = version }

    /// Returns the database, opened for writing.
    func writing() throws(CommandFailure) -> WritableDatabase {
        if let writable { return writable }
        let store: Store
        do throws(StoreError) {
            store = try Store.open(location, readOnly: false, services: environment.services)
            // The changes must apply to the file that the user has read, not to another file of
            // that name.
            guard try store.fileStatus().identity == database.store.fileStatus().identity else {
                throw StoreError(
                    .missing, path: path, detail: "the database was replaced while it was open",
                    remedy: "open it again with .open")
            }
        } catch { throw CommandFailure(error) }
        var opened = try WritableDatabase(
            store, file: path, waitNanoseconds: waitNanoseconds, environment)
        let environment = environment
        let name = SafeText.escaping(Prompt.name(of: path))
        opened.reportWaiting = { error in
            let holder = SafeText.escaping(error.detail)
            environment.reportToPeople("\(name)\u{2026} \(holder) (Ctrl-C to give up)\n")
        }
        // One handle reads and writes, so that it reads its own commits without waiting.
        database = Database(store)
        writable = opened
        return opened
    }

    /// Reports once that the file name no longer refers to this database.
    func checkName() {
        let mine: FileStatus
        let named: FileStatus?
        do {
            mine = try database.store.fileStatus()
            named = try environment.services.files.status(of: location)
        } catch {
            // If this fails, the next operation reports the reason.
            return
        }
        let isThere = named?.identity == mine.identity
        if !isThere, !toldMissing {
            let what = named == nil ? "removed" : "replaced"
            environment.reportToPeople(
                "\(SafeText.escaping(path)) was \(what) while it was open; "
                    + "reopen it with .open\n")
        }
        toldMissing = !isThere
    }

    /// Closes the database, and checkpoints it if it was opened for writing.
    func close() throws(CommandFailure) {
        if let writable {
            self.writable = nil
            try writable.close()
        }
        // An error is ignored: memory ends with the process.
        if isInMemory { try? environment.services.files.remove(location) }
    }
}
