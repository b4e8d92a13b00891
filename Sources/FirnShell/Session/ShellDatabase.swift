import FirnEngine
import FirnPlatform
import FirnQuery
import FirnTools
import FirnValues

/// The database of a session: open for reading from the start, and for writing from the first
/// change on.
final class ShellDatabase {
    /// As the user named it.
    let path: String
    /// Where it is, whatever the working folder is.
    let location: String
    private(set) var database: Database
    private var writable: WritableDatabase?
    private let environment: CommandEnvironment
    private let waitNanoseconds: UInt64?
    /// What was said of the file last, to say it once.
    private var toldMissing = false

    init(
        _ path: String, waitNanoseconds: UInt64?, _ environment: CommandEnvironment
    ) throws(CommandFailure) {
        self.path = path
        self.environment = environment
        self.waitNanoseconds = waitNanoseconds
        do throws(StoreError) {
            database = try Database.open(path, readOnly: true, services: environment.services)
            // Looked at now, so that a database that cannot be read is never the one in use.
            _ = try database.snapshot()
        } catch { throw CommandFailure(error) }
        do { location = try environment.services.files.resolvedPath(path) } catch {
            throw .diagnostic(Diagnostic(error, "cannot find \(path)"))
        }
    }

    /// The database, ready to be changed.
    func writing() throws(CommandFailure) -> WritableDatabase {
        if let writable { return writable }
        let store: Store
        do throws(StoreError) {
            store = try Store.open(location, readOnly: false, services: environment.services)
            // What the user has looked at is what is changed, and nothing else of that name.
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
        opened.tellWaiting = { error in
            let holder = SafeText.escaping(error.detail)
            environment.tell("\(name)\u{2026} \(holder) (Ctrl-C to give up)\n")
        }
        // One handle reads and writes: it need not wait for what it wrote itself.
        database = Database(store)
        writable = opened
        return opened
    }

    /// Says it once when the name of the file does not lead to this database any more.
    func checkName() {
        let mine: FileStatus
        let named: FileStatus?
        do {
            mine = try database.store.fileStatus()
            named = try environment.services.files.status(of: location)
        } catch {
            // If it cannot be found out, whatever is asked next says why.
            return
        }
        let isThere = named?.identity == mine.identity
        if !isThere, !toldMissing {
            let what = named == nil ? "removed" : "replaced"
            environment.tell(
                "\(SafeText.escaping(path)) was \(what) while it was open; "
                    + "reopen it with .open\n")
        }
        toldMissing = !isThere
    }

    /// Leaves the file at rest.
    func close() throws(CommandFailure) {
        guard let writable else { return }
        self.writable = nil
        try writable.close()
    }
}
