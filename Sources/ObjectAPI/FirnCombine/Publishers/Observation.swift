import Dispatch
import Firn
import FirnValues

#if canImport(Combine)
import Combine
#else
import OpenCombine
#endif

/// An observation that begins on subscription.
public struct _Observation<Output> {
    /// An event of an observation.
    enum Event {
        case value(Output)
        /// The end of the observation.
        case end
        /// The last value of the observation.
        case last(Output)
        case failure(any Error)
    }

    /// Calls the block on the queue, or where the realm is used.
    ///
    /// Returns `nil` for a source that never changes.
    typealias Begin = (
        _ queue: DispatchQueue?, _ block: @escaping (Event) -> Void
    ) -> NotificationToken?

    let begin: Begin
    var queue: DispatchQueue?
    /// A closure that receives the token.
    var keep: ((NotificationToken?) -> Void)?

    init(_ begin: @escaping Begin) { self.begin = begin }

    /// Begins the observation for a subscriber.
    ///
    /// - Parameters:
    ///   - keepsAll: Whether all values without demand are kept, or only the newest one.
    ///   - failing: Converts an error to the completion for the subscriber.
    func publish<S: Subscriber>(
        to subscriber: S, keepsAll: Bool,
        failing: @escaping (any Error) -> Subscribers.Completion<S.Failure>
    ) where S.Input == Output {
        let subscription = ObservationSubscription(subscriber, keepsAll: keepsAll)
        subscriber.receive(subscription: subscription)
        guard !subscription.isOver else { return }
        let token = begin(queue) { event in
            switch event {
            case .value(let value): subscription.add(value)
            case .end: subscription.end(.finished)
            case .last(let value):
                subscription.add(value)
                subscription.end(.finished)
            case .failure(let error): subscription.end(failing(error))
            }
        }
        subscription.hold(token)
        keep?(token)
    }
}
