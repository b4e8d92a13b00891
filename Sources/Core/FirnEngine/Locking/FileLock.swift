import FirnPlatform
import FirnValues

/// A lock that one thread of one process holds at a time.
///
/// It combines a byte lock of the file with a gate in front of it, because the threads of a process
/// share the open file and therefore its locks.
///
/// A refused thread may wait until the lock is released. It must therefore not be refused because
/// of an attempt by another thread that then fails, since no release follows such an attempt. The
/// failed attempt is repeated instead. `Tests/Models/group-commit.pml` loses a wake-up without
/// this.
final class FileLock: Sendable {
    private struct Gate {
        /// Whether a thread holds the lock, or is only trying to take it.
        var isTaken = false
        /// Whether another thread has been refused the lock since then.
        var hasRefused = false
        /// The number of times that this process released the lock.
        var releaseCount = 0
    }

    private let file: any File
    private let range: LockRange
    private let gate = Guarded(Gate())
    private let generation = ForkGeneration.current

    init(_ range: LockRange, of file: any File) {
        self.range = range
        self.file = file
    }

    /// - Returns: Whether the lock was free.
    func tryTake() throws(PlatformError) -> Bool {
        while beginAttempt() {
            do throws(PlatformError) {
                if try file.tryLock(range, .exclusive) { return true }
            } catch {
                endAttempt()
                throw error
            }
            // The other process may have released the lock between this attempt and the refusal of
            // another thread, which would then wait in vain.
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
            gate.isTaken = true
            gate.hasRefused = false
            return true
        }
    }

    /// - Returns: Whether the attempt refused another thread.
    @discardableResult
    private func endAttempt() -> Bool {
        gate.withLock { gate in
            gate.isTaken = false
            return gate.hasRefused
        }
    }

    /// Releases the lock that ``tryTake()`` took.
    func release() {
        // A forked child that drops its copy of the holder must not release the lock of its parent.
        if generation.isCurrent { giveBack() }
        gate.withLock { $0.releaseCount += 1 }
        endAttempt()
    }

    /// Releases the file lock, in several attempts, since the system may lack memory for locks only
    /// temporarily.
    ///
    /// If the lock cannot be released, it ends when the file is closed.
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

    /// Whether a thread of this process holds the lock.
    var isTakenHere: Bool { gate.withLock { $0.isTaken } }

    /// The number of times that this process released the lock.
    var releaseCount: Int { gate.withLock { $0.releaseCount } }

    /// Returns whether a thread of this process holds the lock, or has released it since a given
    /// count.
    ///
    /// A thread that was refused must know both: the holder may release the lock between the refusal
    /// and the question.
    func wasTakenHere(since releaseCount: Int) -> Bool {
        gate.withLock { $0.isTaken || $0.releaseCount != releaseCount }
    }
}

/// The locks of one handle; ``LockMap`` describes their meaning and order.
struct StoreLocks: Sendable {
    let writer: FileLock
    let sync: FileLock
    let checkpoint: FileLock
    let compaction: FileLock
    /// The gate in front of ``LockMap/region``, which the threads of a process share.
    let region = Lock()
    /// A lock around every sync of the file.
    ///
    /// The system reports a failure once per open file. The thread that receives it must stop the
    /// other threads before one of them syncs again.
    let dataSync = Lock()

    init(file: any File) {
        writer = FileLock(LockMap.writer, of: file)
        sync = FileLock(LockMap.sync, of: file)
        checkpoint = FileLock(LockMap.checkpoint, of: file)
        compaction = FileLock(LockMap.compaction, of: file)
    }
}
