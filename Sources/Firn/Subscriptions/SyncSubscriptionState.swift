/// What has become of a ``SyncSubscriptionSet``.
public enum SyncSubscriptionState: Sendable {
    /// The set is in the file, and all that it asks for is there: without an upstream at once.
    case complete
    /// The set could not be written, or not be read; the one before is in force.
    case error(any Error)
    /// The set is being updated.
    case pending
    /// There is a newer set.
    case superseded
}

extension SyncSubscriptionState: Equatable {
    /// Whether both are the same, with the same error.
    public static func == (left: SyncSubscriptionState, right: SyncSubscriptionState) -> Bool {
        switch (left, right) {
        case (.complete, .complete), (.pending, .pending), (.superseded, .superseded): true
        case (.error(let first), .error(let second)): "\(first)" == "\(second)"
        default: false
        }
    }
}

/// When ``Results/subscribe(name:waitForSync:timeout:_isolation:)`` waits for what it asks for.
///
/// Without an upstream everything is there already, and nothing is waited for.
public enum WaitForSyncMode: Sendable {
    /// If the subscription is new.
    case onCreation
    /// Always, for what the upstream has now.
    case always
    /// Never.
    case never
}
