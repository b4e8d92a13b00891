import Dispatch
import Firn

#if canImport(Combine)
import Combine
#else
import OpenCombine
#endif

/// Something that is observed as soon as somebody subscribes.
public struct _Observation<Output> {
    /// What an observation gives.
    enum Event {
        case value(Output)
        /// Nothing more comes.
        case end
        /// A last value.
        case last(Output)
        case failure(any Error)
    }

    /// Calls the block on the queue, or where the realm is used; `nil` for what never changes.
    typealias Begin = (
        _ queue: DispatchQueue?, _ block: @escaping (Event) -> Void
    ) -> NotificationToken?

    let begin: Begin
    var queue: DispatchQueue?
    /// Gets the token.
    var keep: ((NotificationToken?) -> Void)?

    init(_ begin: @escaping Begin) { self.begin = begin }

    /// Begins for a subscriber.
    ///
    /// - Parameters:
    ///   - keepsAll: whether what the subscriber did not ask for yet is kept; else only the newest of it.
    ///   - failing: what an error is to the subscriber.
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
