import FirnPlatform

/// A file of a known name that one process at a time makes and holds locked; it goes with the lock.
///
/// A killed process leaves the file without its lock: the next one removes it and makes its own.
final class TemporaryLock {
    private static let range = LockRange(start: 0, length: 1)

    let file: any File
    let path: String
    private let files: any FileSystem

    private init(_ file: any File, _ path: String, _ files: any FileSystem) {
        self.file = file
        self.path = path
        self.files = files
    }

    /// Makes the file and locks it.
    ///
    /// - Returns: `nil` if another process holds it.
    static func take(
        _ path: String, _ files: any FileSystem
    ) throws(PlatformError) -> TemporaryLock? {
        // Between two steps another may take or remove it; each round somebody gets on.
        for _ in 0..<100 {
            do throws(PlatformError) {
                let file = try files.open(path, .createNew)
                guard try file.tryLock(range, .exclusive) else { continue }
                let lock = TemporaryLock(file, path, files)
                if try lock.hasName { return lock }
            } catch {
                guard error.code == .alreadyExists else { throw error }
                if try !removeLeftover(path, files) { return nil }
            }
        }
        return nil
    }

    /// Whether the name leads to this file; others remove a file that was not locked yet.
    private var hasName: Bool {
        get throws(PlatformError) {
            try files.status(of: path)?.identity == file.status().identity
        }
    }

    /// Takes the name away from a file that nobody holds.
    ///
    /// It is opened for reading only, as a link may stand there that leads to somebody's data.
    ///
    /// - Returns: whether nobody held it.
    private static func removeLeftover(
        _ path: String, _ files: any FileSystem
    ) throws(PlatformError) -> Bool {
        let file: any File
        do throws(PlatformError) { file = try files.open(path, .readOnly) } catch {
            // Gone meanwhile, or a link that leads nowhere.
            guard error.code == .notFound else { throw error }
            return true
        }
        guard try file.tryLock(range, .shared) else { return false }
        guard try files.status(of: path)?.identity == file.status().identity else { return true }
        do throws(PlatformError) { try files.remove(path) } catch {
            guard error.code == .notFound else { throw error }
        }
        return true
    }

    deinit { remove() }

    /// Removes the file if it still has its name; the lock ends when it is closed.
    func remove() {
        // If it stays, the next process finds that nobody holds it.
        guard let isThere = try? hasName, isThere else { return }
        try? files.remove(path)
    }
}
