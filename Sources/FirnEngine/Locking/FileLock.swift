import FirnPlatform

/// A right that one thread of one process has at a time: a byte lock of the file, and a gate in
/// front of it, because the threads of a process share the open file and so its locks.
///
/// A thread that is refused may wait until the right is given back. So it must not be refused because
/// of an attempt of another thread that then fails: nobody gives anything back after that. Such an
/// attempt is repeated. `Tests/Models/group-commit.pml` loses a wake-up without that.
final class FileLock: Sendable {
    private struct Gate {
        /// Also while a thread only tries to take the right.
        var isTaken = false
        /// Whether another thread has been refused since.
        var hasRefused = false
    }

    private let file: any File
    private let range: LockRange
    private let gate = Guarded(Gate())
    private let generation = ForkGeneration.current

    init(_ range: LockRange, of file: any File) {
        self.range = range
        self.file = file
    }

    /// - Returns: whether the right was free.
    func tryTake() throws(PlatformError) -> Bool {
        while beginAttempt() {
            do throws(PlatformError) {
                if try file.tryLock(range, .exclusive) { return true }
            } catch {
                endAttempt()
                throw error
            }
            // The other process may have given the right back between this attempt and the refusal
            // of another thread, which would wait in vain.
            guard endAttempt() else { return false }
        }
        return false
    }

    private func beginAttempt() -> Bool {
        gate.withLock { gate in
            guard !gate.isTaken else {
                gate.hasRefused = true
                return false
            }
            gate = Gate(isTaken: true)
            return true
        }
    }

    /// - Returns: whether the attempt refused another thread.
    @discardableResult
    private func endAttempt() -> Bool {
        gate.withLock { gate in
            defer { gate = Gate() }
            return gate.hasRefused
        }
    }

    /// Gives back what ``tryTake()`` took.
    func release() {
        // A forked child that drops its copy of the holder must not take the lock from its parent.
        if generation.isCurrent { giveBack() }
        endAttempt()
    }

    /// Tries more than once: a system that is short of memory for locks may not be so the next time.
    ///
    /// If the lock cannot be given back at all, it goes when the file is closed.
    private func giveBack() {
        for _ in 0..<FileLock.attemptCount {
            do throws(PlatformError) {
                return try file.unlock(range)
            } catch {
                continue
            }
        }
    }

    private static let attemptCount = 3

    /// Whether a thread of this process has the right.
    var isTakenHere: Bool { gate.withLock { $0.isTaken } }
}
