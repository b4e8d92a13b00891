import FirnEngine
import FirnPlatform
import FirnValues

/// The files that are being opened, each by one thread at a time.
///
/// A migration runs while its file is being opened, and may open other files. The same file cannot
/// be opened in the block of its migration, which would wait for itself.
enum OpeningFiles {
    /// A file by its path or, once it exists, by its identity.
    enum Key: Hashable, Sendable {
        case path(TextKey)
        case file(FileIdentity)
    }

    private struct State {
        var owners: [Key: ThreadIdentity] = [:]
        var waiting: [ThreadIdentity: Key] = [:]

        /// Returns whether a thread waits, directly or through other threads, for another thread.
        func waits(for key: Key, endlesslyAs thread: ThreadIdentity) -> Bool {
            var key = key
            while let owner = owners[key] {
                if owner == thread { return true }
                guard let next = waiting[owner] else { return false }
                key = next
            }
            return false
        }
    }

    private static let lock = Lock()
    private static let change = Condition()
    private nonisolated(unsafe) static var state = State()

    /// Runs code while no other thread opens a file.
    ///
    /// - Throws: ``StoreError`` with `lockHeld` if this thread is opening the file already.
    static func opening<Result>(_ key: Key, path: String, _ body: () throws -> Result) throws
        -> Result
    {
        try begin(key, path)
        defer { end(key) }
        return try body()
    }

    private static func begin(_ key: Key, _ path: String) throws(StoreError) {
        let thread = ThreadIdentity.current
        lock.lock()
        defer { lock.unlock() }
        while state.owners[key] != nil {
            guard !state.waits(for: key, endlesslyAs: thread) else {
                throw StoreError(
                    .lockHeld, path: path,
                    detail: "the realm cannot be opened in the block of its migration",
                    remedy: "use the objects that the migration gives the block")
            }
            state.waiting[thread] = key
            change.wait(lock)
            state.waiting[thread] = nil
        }
        state.owners[key] = thread
    }

    private static func end(_ key: Key) {
        lock.withLock { state.owners[key] = nil }
        change.wakeAll()
    }
}
