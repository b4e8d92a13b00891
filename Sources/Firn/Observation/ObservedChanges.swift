import FirnEngine
import FirnPlatform
import FirnQuery
import FirnValues

/// The changes of something of a realm, one after the other.
///
///     for await change in dogs.changes() { ... }
///
/// Each loop over it observes from its beginning to its end. It runs where the realm is used, and gets
/// each change together with the version that the realm shows then: what happens while the loop is busy
/// comes as one change.
public struct ObservedChanges<Element>: AsyncSequence {
    /// It never fails: an error is an element.
    public typealias Failure = Never

    private let instance: RealmInstance
    private let maker: () -> Tracker<Element>

    init(_ instance: RealmInstance, _ maker: @escaping () -> Tracker<Element>) {
        self.instance = instance
        self.maker = maker
    }

    /// Begins to observe.
    public func makeAsyncIterator() -> AsyncIterator {
        instance.checkConfinement()
        return AsyncIterator(instance, maker())
    }

    /// Goes through changes as they come.
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

        /// The next change; `nil` behind the last, and when the task is cancelled.
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

/// Lets somebody who waits look for changes.
private final class PullingObserver<Change>: Observer, @unchecked Sendable {
    private struct Waiting: Sendable {
        /// Whether it was woken since it looked last.
        var isWoken = false
        var continuation: CheckedContinuation<Void, Never>?
    }

    private let tracker: Tracker<Change>
    private let waiting = Guarded(Waiting())
    /// The version that it was woken for last.
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

    /// Whether no more changes will come.
    var isOver: Bool { tracker.isOver || registration.isEnded }

    /// What happened up to the version that the realm shows.
    func pull() -> Change? {
        if let failure {
            self.failure = nil
            return failure
        }
        guard !isOver, !tracker.instance.observation.isProvisional else { return nil }
        do throws(StoreError) {
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
