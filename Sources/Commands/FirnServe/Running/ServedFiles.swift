import FirnEngine
import FirnFormats
import FirnPlatform
import FirnQuery
import FirnTools
import FirnValues
import NIOHTTP1

/// The files of the server, each under a name that requests use.
final class ServedFiles: Sendable {
    /// A file and its name.
    struct Served: Sendable {
        let name: String
        /// The path of the database: in memory, if the file is not a database.
        let path: String
        /// Whether the file is not a database, and was read into one when the server started.
        let isInput: Bool
    }

    let files: [Served]
    let services: SystemServices
    /// The options of the databases and of statements.
    let options: StoreOptions
    /// The databases that are kept open, by path.
    private let databases = Guarded<TextMap<Database>>([:])

    /// Opens the files: databases, and whatever `firn query` reads.
    ///
    /// - Parameters:
    ///   - paths: The files, in the order of the command line.
    ///   - options: The options of the databases.
    /// - Throws: The error of the first file that cannot be read.
    init(
        _ paths: [String], _ environment: CommandEnvironment, _ options: StoreOptions
    ) throws(CommandFailure) {
        var environment = environment
        var taken = TextSet()
        var files: [Served] = []
        for path in paths {
            let opened = try ServedFiles.open(path, &environment)
            let name = path.split(separator: "/").last.map(String.init) ?? path
            let unique = taken.insertNumbered(name) { "\(name)-\($0)" }
            files.append(
                Served(name: unique, path: opened, isInput: !opened.hasSameBytes(as: path)))
        }
        self.files = files
        services = environment.services
        self.options = options
    }

    /// Returns the path of a database: the path of the file, or of a database in memory.
    ///
    /// - Parameter environment: Gets the memory.
    private static func open(
        _ path: String, _ environment: inout CommandEnvironment
    ) throws(CommandFailure) -> String {
        do throws(StoreError) {
            _ = try Database.open(path, readOnly: true, services: environment.services)
            return path
        } catch {
            let failure = CommandFailure(error)
            guard InputDatabase.canRead(path, after: failure, environment) else { throw failure }
            let input = try InputDatabase(path, className: nil, isQuiet: true, environment)
            environment = input.environment
            return input.path
        }
    }

    /// Returns the file that a request means.
    ///
    /// - Parameter name: The name in the request; `nil` means the only file.
    func file(_ name: String?) throws(Problem) -> Served {
        guard let name else {
            guard files.count == 1 else {
                throw .parameter(
                    "the parameter file is missing", remedy: "name one of \(names)")
            }
            return files[0]
        }
        guard let file = files.first(where: { $0.name.hasSameBytes(as: name) }) else {
            throw Problem(
                .notFound, .fileMissing, "this server has no file \"\(SafeText.escaping(name))\"",
                remedy: "name one of \(names)")
        }
        return file
    }

    private var names: String { files.map(\.name).joined(separator: ", ") }

    /// Returns a database that stays open between requests.
    ///
    /// It is opened again if its path has come to refer to another file.
    func database(_ path: String) throws(StoreError) -> Database {
        if let known = databases.withLock({ $0[path] }) {
            do throws(StoreError) {
                try known.store.checkName()
                return known
            } catch {
                databases.withLock { $0[path] = nil }
            }
        }
        let opened = try Database.open(
            path, readOnly: true, services: services, options: options)
        databases.withLock { $0[path] = opened }
        return opened
    }
}
