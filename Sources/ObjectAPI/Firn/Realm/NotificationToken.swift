import FirnPlatform

/// A token that keeps an observation alive.
///
/// The observation ends when the token is released or invalidated. The token retains the observed
/// source and its realm.
public final class NotificationToken: Sendable {
    let registration: Registration

    init(_ registration: Registration) { self.registration = registration }

    deinit { registration.end() }

    /// Ends the observation.
    ///
    /// This method can be called on any thread, and also by the block itself. If the block is
    /// running on another thread, it runs to its end. It is not called again.
    ///
    /// - Returns: A Boolean value that indicates whether the observation was still active.
    @discardableResult
    public func invalidate() -> Bool { registration.end() }
}

/// The state that a token and its observer share, from the call of `observe` to the end.
final class Registration: Sendable {
    private struct State {
        var isEnded = false
        /// The observer, or `nil` until it exists where the block is to be called.
        var observer: Observer?
        var instance: RealmInstance?
    }

    private let state = Guarded(State())

    var isEnded: Bool { state.withLock { $0.isEnded } }

    /// The realm that calls the block, or `nil` before the observation begins and after it ends.
    var instance: RealmInstance? { state.withLock { $0.instance } }

    /// The observer, or `nil` before the observation begins and after it ends.
    var observer: Observer? { state.withLock { $0.observer } }

    /// Starts notifying an observer, unless the token has ended in the meantime.
    func attach(_ observer: Observer, to instance: RealmInstance) {
        let isWanted = state.withLock { state in
            guard !state.isEnded else { return false }
            state.observer = observer
            state.instance = instance
            return true
        }
        guard isWanted else { return }
        instance.observation.add(observer, instance)
        // The token may have ended in between.
        if isEnded { instance.observation.remove(observer, instance) }
    }

    /// - Returns: Whether the observation was still active.
    @discardableResult
    func end() -> Bool {
        let (wasActive, observer, instance) = state.withLock {
            state -> (Bool, Observer?, RealmInstance?) in
            let found = (!state.isEnded, state.observer, state.instance)
            state.isEnded = true
            state.observer = nil
            state.instance = nil
            return found
        }
        if let observer, let instance {
            instance.observation.remove(observer, instance)
            observer.ended()
        }
        return wasActive
    }
}
