import FirnValues

/// The state of a ``SyncSubscriptionSet``.
public enum SyncSubscriptionState: Sendable {
    /// The set is stored in the file and its objects are available.
    ///
    /// Without an upstream they are available immediately.
    case complete
    /// The set could not be written or read, or the upstream has stopped.
    ///
    /// The previous set remains in effect.
    case error(any Error)
    /// The set is being updated, or its objects have not arrived from the upstream yet.
    case pending
    /// A newer set exists.
    case superseded
}

extension SyncSubscriptionState: Equatable {
    /// Returns a Boolean value that indicates whether both states are equal.
    ///
    /// Errors are compared by their descriptions.
    public static func == (left: SyncSubscriptionState, right: SyncSubscriptionState) -> Bool {
        switch (left, right) {
        case (.complete, .complete), (.pending, .pending), (.superseded, .superseded): true
        case (.error(let first), .error(let second)): "\(first)" == "\(second)"
        default: false
        }
    }
}

/// The condition under which a subscription waits for its objects.
///
/// It is a parameter of ``Results/subscribe(name:waitForSync:timeout:)``. Without an
/// upstream all objects are available, so that it has no effect.
public enum WaitForSyncMode: Sendable {
    /// Wait if the subscription is new.
    case onCreation
    /// Always wait for the current objects of the upstream.
    case always
    /// Never wait.
    case never
}
