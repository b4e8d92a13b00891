public import Firn
import FirnValues

#if canImport(Combine)
public import Combine
#else
public import OpenCombine
#endif

/// A change that `observe` reports, regardless of its source.
public protocol _RealmChange {
    /// The type of the source.
    associatedtype _Source: ThreadConfined
    /// The changed source in its current state, or `nil` if it was deleted.
    var _source: _Source? { get }
    /// A Boolean value that indicates whether the change describes the initial state.
    var _isInitial: Bool { get }
    /// A Boolean value that indicates whether publishers indicate the change only by completing.
    var _isDeletion: Bool { get }
    /// The error that ends the observation, or `nil` if this is not an error.
    var _failure: (any Error)? { get }
    /// Returns the same change to the frozen source.
    func _frozen() -> Self
    /// Returns a carrier that hands the change over to another thread, queue or actor.
    func _carrier() -> _Carrier<Self>
}

extension _RealmChange {
    /// Returns `false`, because sources other than objects report their deletion as a value.
    public var _isDeletion: Bool { false }
}

extension Publisher where Output: ThreadConfined {
    /// Returns a publisher of frozen values, which can be used on any thread.
    public func freeze() -> Publishers.Map<Self, Output> { map { $0.freeze() } }

    /// Returns a publisher whose values can be received elsewhere, in a realm of that place.
    ///
    /// For example, `threadSafeReference().receive(on: queue)`.
    public func threadSafeReference() -> RealmPublishers.MakeThreadSafe<Self> {
        RealmPublishers.MakeThreadSafe(upstream: self) { _Carrier(carrying: $0) }
    }
}

extension Publisher where Output: _RealmChange {
    /// Returns a publisher of changes to frozen sources, which can be used on any thread.
    ///
    /// The values of properties in the changes of an object are not frozen.
    public func freeze() -> Publishers.Map<Self, Output> { map { $0._frozen() } }

    /// Returns a publisher whose changes can be received elsewhere, in a realm of that place.
    ///
    /// For example, `threadSafeReference().receive(on: queue)`. The values of properties in the
    /// changes of an object are passed on unchanged.
    public func threadSafeReference() -> RealmPublishers.MakeThreadSafe<Self> {
        RealmPublishers.MakeThreadSafe(upstream: self) { $0._carrier() }
    }
}

extension RealmPublishers {
    /// A publisher of upstream values that ``receive(on:options:)`` delivers elsewhere.
    public struct MakeThreadSafe<Upstream: Publisher>: Publisher {
        /// The type of the published values.
        public typealias Output = Upstream.Output
        /// The type of the failure.
        public typealias Failure = Upstream.Failure

        let upstream: Upstream
        let carry: (Upstream.Output) -> _Carrier<Upstream.Output>

        /// Attaches a subscriber to the upstream publisher.
        public func receive<S: Subscriber>(
            subscriber: S
        ) where S.Input == Output, S.Failure == Failure { upstream.receive(subscriber: subscriber) }

        /// Returns a publisher that delivers values on a scheduler.
        ///
        /// The values belong to a realm that is opened there.
        ///
        /// A value that was deleted on the way is not delivered. A frozen value is delivered
        /// unchanged.
        ///
        /// - Parameters:
        ///   - scheduler: A serial queue, or a scheduler with a single thread.
        ///   - options: The options of the scheduler.
        public func receive<S: Scheduler>(
            on scheduler: S, options: S.SchedulerOptions? = nil
        ) -> DeferredHandover<Upstream, S> {
            DeferredHandover(
                upstream: upstream, carry: carry, scheduler: scheduler, options: options)
        }
    }

    /// A publisher that delivers upstream values on a scheduler, in a realm of that scheduler.
    public struct DeferredHandover<Upstream: Publisher, S: Scheduler>: Publisher {
        /// The type of the published values.
        public typealias Output = Upstream.Output
        /// The type of the failure.
        public typealias Failure = Upstream.Failure

        let upstream: Upstream
        let carry: (Upstream.Output) -> _Carrier<Upstream.Output>
        let scheduler: S
        let options: S.SchedulerOptions?

        /// Starts delivering values to a subscriber.
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

// MARK: Receiving on a scheduler

extension RealmPublishers.Value {
    /// Returns a publisher that delivers values on a scheduler, in a realm that is opened there.
    public func receive<S: Scheduler>(
        on scheduler: S, options: S.SchedulerOptions? = nil
    ) -> RealmPublishers.DeferredHandover<Self, S> {
        threadSafeReference().receive(on: scheduler, options: options)
    }
}

extension RealmPublishers.Changeset where Change: _RealmChange {
    /// Returns a publisher that delivers changes on a scheduler, in a realm that is opened there.
    public func receive<S: Scheduler>(
        on scheduler: S, options: S.SchedulerOptions? = nil
    ) -> RealmPublishers.DeferredHandover<Self, S> {
        threadSafeReference().receive(on: scheduler, options: options)
    }
}
