import FirnEngine
import FirnPlatform
import FirnQuery
import FirnValues

/// Tells the realms of a file that there is a newer version, as long as anybody observes one of them.
final class FileWatch: Sendable {
    private struct State {
        var observerCount = 0
        var waiter: CommitWaiter?
        /// The newest version that the realms know of.
        var announced = LSN.zero
    }

    private let state = Guarded(State())

    /// Somebody begins to observe.
    func begin(_ file: RealmFile) {
        let isFirst = state.withLock { state in
            state.observerCount += 1
            return state.observerCount == 1
        }
        // Nobody else can open a realm in memory.
        guard isFirst, file.configuration.inMemoryIdentifier == nil else { return }
        let waiter: CommitWaiter
        do throws(PlatformError) {
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

    /// Somebody who observed does so no more.
    func end() {
        let waiter = state.withLock { state -> CommitWaiter? in
            state.observerCount -= 1
            guard state.observerCount == 0 else { return nil }
            defer { state.waiter = nil }
            return state.waiter
        }
        waiter?.end()
    }

    /// Whether anything of the file is observed in this process.
    var hasObservers: Bool { state.withLock { $0.observerCount > 0 } }

    /// - Returns: whether somebody observes, and nobody has said so before.
    fileprivate func isNews(_ version: LSN) -> Bool {
        state.withLock { state in
            guard state.observerCount > 0, version > state.announced else { return false }
            state.announced = version
            return true
        }
    }
}

extension RealmFile {
    /// Lets all realms that are observed look at the newest version.
    func announce(_ version: LSN) {
        guard watch.isNews(version) else { return }
        for instance in liveInstances where !instance.isFrozen {
            instance.observation.schedule(instance)
        }
    }

    /// Tells all who observe that there will be no more versions to look at.
    fileprivate func announce(_ error: StoreError) {
        for instance in liveInstances where !instance.isFrozen {
            instance.observation.schedule(instance, failure: error)
        }
    }
}

/// A thread that waits for commits, of other processes above all.
///
/// It holds the store, not the file of the realms: those may go while it waits, which ends it.
private final class CommitWaiter: Sendable {
    private let store: Store
    private let hasEnded = Guarded(false)
    private let lock = Lock()
    private let ending = Condition()
    /// How often it looks whether the name still leads to the database, and how late it tries again
    /// after a failure.
    private static let patienceNanoseconds: UInt64 = 1_000_000_000

    init(
        _ store: Store, _ announce: @escaping @Sendable (Result<LSN, StoreError>) -> Void
    ) throws(PlatformError) {
        self.store = store
        _ = try WorkerThread { [self] in run(announce) }
    }

    /// Ends the thread, soon.
    func end() {
        lock.withLock {
            hasEnded.withLock { $0 = true }
            ending.wakeAll()
        }
        store.endWaits()
    }

    private var isWanted: Bool { !hasEnded.withLock { $0 } }

    private func run(_ announce: (Result<LSN, StoreError>) -> Void) {
        var known = LSN.zero
        while isWanted {
            do throws(StoreError) {
                let newest = try store.waitForVersion(
                    after: known, nanoseconds: Self.patienceNanoseconds, while: { isWanted },
                    // While the disk makes it durable, once for all of them.
                    prepare: { self.store.prepareChanges(to: $0) },
                    // Their thread wakes up while this one reads the commit for both.
                    onCommitVisible: { announce(.success($0)) })
                if newest > known {
                    known = newest
                    announce(.success(newest))
                } else if isWanted {
                    // Who removed or replaced it commits nothing here, and cannot say so either.
                    try store.checkName()
                }
            } catch {
                announce(.failure(error))
                lock.withLock {
                    if isWanted { ending.wait(lock, nanoseconds: Self.patienceNanoseconds) }
                }
            }
        }
    }
}
