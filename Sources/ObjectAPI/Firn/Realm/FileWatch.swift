import FirnEngine
import FirnPlatform
import FirnQuery
import FirnValues

/// Notifies the realms of a file of newer versions while at least one of them is observed.
final class FileWatch: Sendable {
    private struct State {
        var observerCount = 0
        var waiter: CommitWaiter?
        /// The newest version that was announced to the realms.
        var announced = LSN.zero
    }

    private let state = Guarded(State())

    /// Registers an observer, and starts waiting for commits if it is the first.
    func begin(_ file: RealmFile) {
        let isFirst = state.withLock { state in
            state.observerCount += 1
            return state.observerCount == 1
        }
        // No other process can open a realm in memory.
        guard isFirst, file.configuration.inMemoryIdentifier == nil else { return }
        let waiter: CommitWaiter
        do {
            waiter = try CommitWaiter(file.database.store) { [weak file] news in
                switch news {
                case .success(let version): file?.announce(version)
                case .failure(let error): file?.announce(error)
                }
            }
        } catch {
            misuse("observing \(file.path) needs a thread, and the system gives none: \(error)")
        }
        let needless = state.withLock { state -> CommitWaiter? in
            guard state.observerCount > 0, state.waiter == nil else { return waiter }
            state.waiter = waiter
            return nil
        }
        needless?.end()
    }

    /// Unregisters an observer, and stops waiting for commits if it was the last.
    func end() {
        let waiter = state.withLock { state -> CommitWaiter? in
            state.observerCount -= 1
            guard state.observerCount == 0 else { return nil }
            defer { state.waiter = nil }
            return state.waiter
        }
        waiter?.end()
    }

    /// Whether anything in the file is observed in this process.
    var hasObservers: Bool { state.withLock { $0.observerCount > 0 } }

    /// - Returns: Whether there are observers and the version was not announced before.
    fileprivate func isNews(_ version: LSN) -> Bool {
        state.withLock { state in
            guard state.observerCount > 0, version > state.announced else { return false }
            state.announced = version
            return true
        }
    }
}

extension RealmFile {
    /// Makes all observed realms look for the newest version.
    func announce(_ version: LSN) {
        guard watch.isNews(version) else { return }
        for instance in liveInstances where !instance.isFrozen {
            instance.observation.schedule(instance)
        }
    }

    /// Notifies all observers that no more versions can be read.
    fileprivate func announce(_ error: StoreError) {
        for instance in liveInstances where !instance.isFrozen {
            instance.observation.schedule(instance, failure: error)
        }
    }
}

/// A thread that waits for commits, mainly by other processes.
///
/// It retains the store, but not the file of the realms. Freeing that file ends the waiting.
private final class CommitWaiter: Sendable {
    private let store: Store
    private let hasEnded = Guarded(false)
    private let lock = Lock()
    private let ending = Condition()
    /// The interval between checks of whether the path still leads to the database, in nanoseconds.
    ///
    /// It is also the delay before a retry after a failure.
    private static let checkIntervalNanoseconds: UInt64 = 1_000_000_000

    init(
        _ store: Store, _ announce: @escaping @Sendable (Result<LSN, StoreError>) -> Void
    ) throws(PlatformError) {
        self.store = store
        _ = try WorkerThread { [self] in run(announce) }
    }

    /// Ends the thread as soon as possible.
    func end() {
        lock.withLock {
            hasEnded.withLock { $0 = true }
            ending.wakeAll()
        }
        store.endWaits()
    }

    private var isWanted: Bool { !hasEnded.withLock { $0 } }

    private func run(_ announce: @escaping (Result<LSN, StoreError>) -> Void) {
        var known = LSN.zero
        while isWanted {
            do {
                let newest = try store.waitForVersion(
                    after: known, nanoseconds: Self.checkIntervalNanoseconds, while: { isWanted },
                    onStep: { step in
                        switch step {
                        // Runs once for all realms, while the disk makes the commit durable.
                        case .appended(let commit): self.store.prepareChanges(to: commit)
                        // The realms' thread wakes up while this thread reads the commit for both.
                        case .durable(let version): announce(.success(version))
                        }
                    })
                if newest > known {
                    known = newest
                    announce(.success(newest))
                } else if isWanted {
                    // Removing or replacing the file is not a commit, so it must be detected here.
                    try store.checkName()
                }
            } catch {
                announce(.failure(error))
                lock.withLock {
                    if isWanted { ending.wait(lock, nanoseconds: Self.checkIntervalNanoseconds) }
                }
            }
        }
    }
}
