import Firn
import FirnPlatform
import FirnValues

#if canImport(Combine)
import Combine
#else
import OpenCombine
#endif

/// The subscription to an observation, which delivers values on demand.
///
/// Its methods may be called on any thread, also by the subscriber while it receives a value.
final class ObservationSubscription<Downstream: Subscriber>: Subscription, @unchecked Sendable {
    private struct State {
        /// The subscriber, or `nil` after the end of the subscription.
        var downstream: Downstream?
        var demand = Subscribers.Demand.none
        /// The values for which there has been no demand yet.
        var waiting: [Downstream.Input] = []
        var completion: Subscribers.Completion<Downstream.Failure>?
        var isDelivering = false
        var token: NotificationToken?
    }

    private enum Delivery {
        case value(Downstream.Input, to: Downstream)
        /// A completion with the token, which is released afterwards.
        case completion(
            Subscribers.Completion<Downstream.Failure>, to: Downstream, NotificationToken?)
    }

    private let lock = Lock()
    private var state: State
    private let keepsAll: Bool

    init(_ downstream: Downstream, keepsAll: Bool) {
        state = State(downstream: downstream)
        self.keepsAll = keepsAll
    }

    var isOver: Bool { lock.withLock { state.downstream == nil } }

    func hold(_ token: NotificationToken?) {
        let isNeedless = lock.withLock {
            guard state.downstream != nil, state.completion == nil else { return true }
            state.token = token
            return false
        }
        if isNeedless { token?.invalidate() }
    }

    func add(_ value: Downstream.Input) {
        lock.withLock {
            guard state.downstream != nil, state.completion == nil else { return }
            if !keepsAll { state.waiting.removeAll() }
            state.waiting.append(value)
        }
        deliver()
    }

    /// Ends the subscription after the waiting values have been delivered.
    func end(_ completion: Subscribers.Completion<Downstream.Failure>) {
        lock.withLock {
            guard state.completion == nil else { return }
            state.completion = completion
        }
        deliver()
    }

    func request(_ demand: Subscribers.Demand) {
        lock.withLock { state.demand += demand }
        deliver()
    }

    func cancel() {
        // Released without the lock, because releasing the subscriber may cancel again.
        let old = lock.withLock {
            defer { state = State(completion: state.completion) }
            return state
        }
        old.token?.invalidate()
    }

    // MARK: Delivery

    /// Delivers values one after another while there is demand, unless a delivery is already in
    /// progress.
    private func deliver() {
        guard lock.withLock({ beginDelivering() }) else { return }
        while let next = lock.withLock({ nextDelivery() }) {
            switch next {
            case .value(let value, let downstream):
                let more = downstream.receive(value)
                lock.withLock { state.demand += more }
            case .completion(let completion, let downstream, _):
                downstream.receive(completion: completion)
            }
        }
    }

    private func beginDelivering() -> Bool {
        guard !state.isDelivering else { return false }
        state.isDelivering = true
        return true
    }

    private func nextDelivery() -> Delivery? {
        if let downstream = state.downstream {
            if !state.waiting.isEmpty, state.demand > 0 {
                state.demand -= 1
                return .value(state.waiting.removeFirst(), to: downstream)
            }
            if state.waiting.isEmpty, let completion = state.completion {
                defer {
                    state.downstream = nil
                    state.token = nil
                }
                return .completion(completion, to: downstream, state.token)
            }
        }
        state.isDelivering = false
        return nil
    }
}
