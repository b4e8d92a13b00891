package import FirnPlatform
import FirnValues

/// A file of a known name that one process at a time creates and locks; it is removed with the
/// lock.
///
/// A killed process leaves the file without its lock; the next process removes it and creates its
/// own.
package final class TemporaryLock {
    private static let range = LockRange(start: 0, length: 1)

    let file: any File
    let path: String
    private let files: any FileSystem

    private init(_ file: any File, _ path: String, _ files: any FileSystem) {
        self.file = file
        self.path = path
        self.files = files
    }

    /// Creates the file and locks it.
    ///
    /// - Returns: `nil` if another process holds the lock.
    package static func take(
        _ path: String, _ files: any FileSystem
    ) throws(PlatformError) -> TemporaryLock? {
        // Another process may lock or remove the file between two steps; in each round, one process
        // succeeds.
        for _ in 0..<100 {
            do {
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

    /// Whether the name refers to this file; other processes remove a file that is not locked yet.
    private var hasName: Bool {
        get throws(PlatformError) {
            try files.status(of: path)?.identity == file.status().identity
        }
    }

    /// Removes an unlocked file.
    ///
    /// The file is opened read-only, because the name may be a link to other data.
    ///
    /// - Returns: whether the file was unlocked.
    private static func removeLeftover(
        _ path: String, _ files: any FileSystem
    ) throws(PlatformError) -> Bool {
        let file: any File
        do { file = try files.open(path, .readOnly) } catch {
            // The file was removed in the meantime, or is a dangling link.
            guard error.code == .notFound else { throw error }
            return true
        }
        guard try file.tryLock(range, .shared) else { return false }
        guard try files.status(of: path)?.identity == file.status().identity else { return true }
        do { try files.remove(path) } catch {
            guard error.code == .notFound else { throw error }
        }
        return true
    }

    deinit { remove() }

    /// Removes the file if it still has its name; the lock is released when it is closed.
    package func remove() {
        // If the file remains, the next process finds that it is unlocked.
        guard let isThere = try? hasName, isThere else { return }
        try? files.remove(path)
    }
}
