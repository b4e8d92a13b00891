import FirnPlatform

/// A right that one thread of one process has at a time: a byte lock of the file, and a gate in
/// front of it, because the threads of a process share the open file and so its locks.
final class FileRight: Sendable {
    private let file: any File
    private let range: LockRange
    private let isTaken = Guarded(false)
    private let generation = ForkGeneration.current

    init(_ range: LockRange, of file: any File) {
        self.range = range
        self.file = file
    }

    /// - Returns: whether the right was free.
    func tryTake() throws(PlatformError) -> Bool {
        let isFree = isTaken.withLock { isTaken in
            defer { isTaken = true }
            return !isTaken
        }
        guard isFree else { return false }
        do throws(PlatformError) {
            if try file.tryLock(range, .exclusive) { return true }
        } catch {
            isTaken.withLock { $0 = false }
            throw error
        }
        isTaken.withLock { $0 = false }
        return false
    }

    /// Gives back what ``tryTake()`` took.
    func release() {
        // If the lock cannot be given back, it goes when the file is closed. A forked child that
        // drops its copy of the holder must not take the lock from its parent.
        if generation.isCurrent { try? file.unlock(range) }
        isTaken.withLock { $0 = false }
    }

    /// Whether a thread of this process has the right.
    var isTakenHere: Bool { isTaken.withLock { $0 } }
}
