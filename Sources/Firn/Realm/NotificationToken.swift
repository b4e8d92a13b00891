import FirnPlatform

/// Keeps a block of `observe` being called.
///
/// Whoever observes something holds the token: the block is not called any more once the token is
/// gone, or was invalidated. It holds what is observed, and its realm.
public final class NotificationToken: Sendable {
    let registration: Registration

    init(_ registration: Registration) { self.registration = registration }

    deinit { registration.end() }

    /// Ends the observation.
    ///
    /// May be called on every thread, also by the block. If the block runs on another thread at the
    /// moment, it runs to its end; it is not called again.
    ///
    /// - Returns: whether it had not ended before.
    @discardableResult
    public func invalidate() -> Bool { registration.end() }
}

/// What a token and its observer have in common, from the call of `observe` to the end.
final class Registration: Sendable {
    private struct State {
        var isEnded = false
        /// `nil` until it is there where it is to be called.
        var observer: Observer?
        var instance: RealmInstance?
    }

    private let state = Guarded(State())

    var isEnded: Bool { state.withLock { $0.isEnded } }

    /// The realm that calls the block; `nil` before it does, and after the end.
    var instance: RealmInstance? { state.withLock { $0.instance } }

    /// The observer; `nil` before it is called, and after the end.
    var observer: Observer? { state.withLock { $0.observer } }

    /// Lets an observer be called from now on, unless the token has ended meanwhile.
    func attach(_ observer: Observer, to instance: RealmInstance) {
        let isWanted = state.withLock { state in
            guard !state.isEnded else { return false }
            state.observer = observer
            state.instance = instance
            return true
        }
        guard isWanted else { return }
        instance.observation.add(observer, instance)
        // It may have ended in between.
        if isEnded { instance.observation.remove(observer, instance) }
    }

    /// - Returns: whether it had not ended before.
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
