public import Firn

#if canImport(Combine)
public import Combine
#else
public import OpenCombine
#endif

/// A change that `observe` tells, whatever it is of.
public protocol _RealmChange {
    /// What changes.
    associatedtype _Source: ThreadConfined
    /// What changed, as it is now; `nil` if it was deleted.
    var _source: _Source? { get }
    /// Whether it only says how things are.
    var _isInitial: Bool { get }
    /// Why nothing more can be told; `nil` if that can.
    var _failure: (any Error)? { get }
    /// The same change of what is frozen.
    func _frozen() -> Self
    /// What carries it to another thread, queue or actor.
    func _carrier() -> _Carrier<Self>
}

extension Publisher where Output: ThreadConfined {
    /// Freezes what comes, so that it may be used everywhere.
    public func freeze() -> Publishers.Map<Self, Output> { map { $0.freeze() } }

    /// Lets what comes be received elsewhere, of a realm of that place:
    /// `threadSafeReference().receive(on: queue)`.
    public func threadSafeReference() -> RealmPublishers.MakeThreadSafe<Self> {
        RealmPublishers.MakeThreadSafe(upstream: self) { _Carrier(carrying: $0) }
    }
}

extension Publisher where Output: _RealmChange {
    /// Freezes what the changes are of, so that it may be used everywhere.
    ///
    /// The values of properties in the changes of an object stay as they are.
    public func freeze() -> Publishers.Map<Self, Output> { map { $0._frozen() } }

    /// Lets the changes be received elsewhere, with what they are of as a realm of that place has it:
    /// `threadSafeReference().receive(on: queue)`.
    ///
    /// The values of properties in the changes of an object stay as they are.
    public func threadSafeReference() -> RealmPublishers.MakeThreadSafe<Self> {
        RealmPublishers.MakeThreadSafe(upstream: self) { $0._carrier() }
    }
}

extension RealmPublishers {
    /// Gives what its upstream gives, and can be received elsewhere with ``receive(on:options:)``.
    public struct MakeThreadSafe<Upstream: Publisher>: Publisher {
        /// What it gives.
        public typealias Output = Upstream.Output
        /// How it can fail.
        public typealias Failure = Upstream.Failure

        let upstream: Upstream
        let carry: (Upstream.Output) -> _Carrier<Upstream.Output>

        /// Passes a subscriber on.
        public func receive<S: Subscriber>(
            subscriber: S
        ) where S.Input == Output, S.Failure == Failure { upstream.receive(subscriber: subscriber) }

        /// Lets what comes be received on a scheduler, of a realm that is opened there.
        ///
        /// What was deleted on the way does not arrive. What is frozen arrives as it is.
        ///
        /// - Parameters:
        ///   - scheduler: a serial queue, or one of a single thread.
        ///   - options: of the scheduler.
        public func receive<S: Scheduler>(
            on scheduler: S, options: S.SchedulerOptions? = nil
        ) -> DeferredHandover<Upstream, S> {
            DeferredHandover(
                upstream: upstream, carry: carry, scheduler: scheduler, options: options)
        }
    }

    /// Gives what its upstream gives on a scheduler, of a realm of that.
    public struct DeferredHandover<Upstream: Publisher, S: Scheduler>: Publisher {
        /// What it gives.
        public typealias Output = Upstream.Output
        /// How it can fail.
        public typealias Failure = Upstream.Failure

        let upstream: Upstream
        let carry: (Upstream.Output) -> _Carrier<Upstream.Output>
        let scheduler: S
        let options: S.SchedulerOptions?

        /// Begins for a subscriber.
        public func receive<Downstream: Subscriber>(
            subscriber: Downstream
        ) where Downstream.Input == Output, Downstream.Failure == Failure {
            let queue = serialQueue(of: scheduler)
            upstream.map(carry).receive(on: scheduler, options: options)
                .compactMap { $0.arrive(on: queue) }
                .receive(subscriber: subscriber)
        }
    }
}

// MARK: Receiving elsewhere

extension RealmPublishers.Value {
    /// Lets the values be received on a scheduler, of a realm that is opened there.
    public func receive<S: Scheduler>(
        on scheduler: S, options: S.SchedulerOptions? = nil
    ) -> RealmPublishers.DeferredHandover<Self, S> {
        threadSafeReference().receive(on: scheduler, options: options)
    }
}

extension RealmPublishers.Changeset where Change: _RealmChange {
    /// Lets the changes be received on a scheduler, of a realm that is opened there.
    public func receive<S: Scheduler>(
        on scheduler: S, options: S.SchedulerOptions? = nil
    ) -> RealmPublishers.DeferredHandover<Self, S> {
        threadSafeReference().receive(on: scheduler, options: options)
    }
}
