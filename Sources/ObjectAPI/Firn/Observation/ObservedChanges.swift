import FirnEngine
import FirnPlatform
import FirnQuery
import FirnValues

/// An asynchronous sequence of the changes to part of a realm.
///
///     for await change in dogs.changes() { ... }
///
/// Each loop observes from its beginning to its end. It runs where the realm is used, and receives
/// each change together with the version that the realm then shows. Commits that arrive while the
/// loop is busy are combined into one change.
public struct ObservedChanges<Element>: AsyncSequence {
    /// The type of failure; the sequence never fails.
    ///
    /// An error is delivered as an element.
    public typealias Failure = Never

    private let instance: RealmInstance
    private let maker: () -> Tracker<Element>

    init(_ instance: RealmInstance, _ maker: @escaping () -> Tracker<Element>) {
        self.instance = instance
        self.maker = maker
    }

    /// Starts observing, and returns the iterator.
    public func makeAsyncIterator() -> AsyncIterator {
        instance.checkConfinement()
        return AsyncIterator(instance, maker())
    }

    /// An iterator over the changes as they arrive.
    public struct AsyncIterator: AsyncIteratorProtocol {
        private let instance: RealmInstance
        private let observer: PullingObserver<Element>
        private let token: NotificationToken

        init(_ instance: RealmInstance, _ tracker: Tracker<Element>) {
            let registration = Registration()
            self.instance = instance
            observer = PullingObserver(registration, tracker)
            registration.attach(observer, to: instance)
            token = NotificationToken(registration)
        }

        /// Returns the next change, or `nil` after the last one or if the task is cancelled.
        public mutating func next(isolation actor: isolated (any Actor)?) async -> Element? {
            let observer = observer
            while !Task.isCancelled {
                instance.checkConfinement()
                if let change = observer.pull() { return change }
                guard !observer.isOver else { break }
                await withTaskCancellationHandler {
                    await observer.wait(isolation: actor)
                } onCancel: {
                    observer.wake()
                }
            }
            token.invalidate()
            return nil
        }
    }
}

/// An observer from which an asynchronous loop pulls changes.
private final class PullingObserver<Change>: Observer, @unchecked Sendable {
    private struct Waiting: Sendable {
        /// Whether the observer was woken since the loop last looked for changes.
        var isWoken = false
        var continuation: CheckedContinuation<Void, Never>?
    }

    private let tracker: Tracker<Change>
    private let waiting = Guarded(Waiting())
    /// The version of the most recent wake-up.
    private var known: LSN?
    private var failure: Change?

    init(_ registration: Registration, _ tracker: Tracker<Change>) {
        self.tracker = tracker
        super.init(registration)
    }

    override var isDue: Bool {
        tracker.isDue && known.map { $0 < tracker.instance.snapshot.version } ?? true
    }

    override func deliver(_ changes: ChangeSource) {
        known = tracker.instance.snapshot.version
        wake()
    }

    override func fail(_ error: StoreError) {
        failure = tracker.failed(error)
        tracker.isOver = true
        registration.end()
        wake()
    }

    override func renew() { tracker.renew() }

    override func ended() { wake() }

    /// Whether no more changes will arrive.
    var isOver: Bool { tracker.isOver || registration.isEnded }

    /// Returns the change up to the version that the realm shows.
    func pull() -> Change? {
        if let failure {
            self.failure = nil
            return failure
        }
        guard !isOver, !tracker.instance.observation.isProvisional else { return nil }
        do {
            return try tracker.next(ChangeSource(tracker.instance))
        } catch {
            tracker.isOver = true
            return tracker.failed(error)
        }
    }

    func wait(isolation actor: isolated (any Actor)?) async {
        await withCheckedContinuation(isolation: actor) { continuation in
            let isWoken = waiting.withLock { waiting in
                guard !waiting.isWoken else {
                    waiting.isWoken = false
                    return true
                }
                waiting.continuation = continuation
                return false
            }
            if isWoken { continuation.resume() }
        }
    }

    /// Resumes the waiting loop.
    ///
    /// Can be called on any thread.
    func wake() {
        let continuation = waiting.withLock { waiting -> CheckedContinuation<Void, Never>? in
            guard let continuation = waiting.continuation else {
                waiting.isWoken = true
                return nil
            }
            waiting.continuation = nil
            return continuation
        }
        continuation?.resume()
    }
}
