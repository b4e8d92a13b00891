import FirnEngine
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
        let path: String
    }

    let files: [Served]
    let services: SystemServices
    /// The options of the databases and of statements.
    let options: StoreOptions
    /// The databases that are kept open, by path.
    private let databases = Guarded<TextMap<Database>>([:])

    /// - Parameters:
    ///   - paths: The files, in the order of the command line.
    ///   - options: The options of the databases.
    init(_ paths: [String], _ services: SystemServices, _ options: StoreOptions) {
        var taken = TextSet()
        files = paths.map { path in
            let name = path.split(separator: "/").last.map(String.init) ?? path
            var unique = name
            var number = 2
            while !taken.insert(unique).inserted {
                unique = "\(name)-\(number)"
                number += 1
            }
            return Served(name: unique, path: path)
        }
        self.services = services
        self.options = options
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

extension ServedFiles {
    /// Checks that a file can be opened, before the server starts.
    static func check(_ path: String, _ services: SystemServices) throws(CommandFailure) {
        do throws(StoreError) {
            _ = try Database.open(path, readOnly: true, services: services)
        } catch {
            throw CommandFailure(error)
        }
    }
}
