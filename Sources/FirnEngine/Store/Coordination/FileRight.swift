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
        // A forked child that drops its copy of the holder must not take the lock from its parent.
        if generation.isCurrent { giveBack() }
        isTaken.withLock { $0 = false }
    }

    /// Tries more than once: a system that is short of memory for locks may not be so the next time.
    ///
    /// If the lock cannot be given back at all, it goes when the file is closed.
    private func giveBack() {
        for _ in 0..<FileRight.attemptCount {
            do throws(PlatformError) {
                return try file.unlock(range)
            } catch {
                continue
            }
        }
    }

    private static let attemptCount = 3

    /// Whether a thread of this process has the right.
    var isTakenHere: Bool { isTaken.withLock { $0 } }
}
