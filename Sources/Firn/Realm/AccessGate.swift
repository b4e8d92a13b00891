import FirnPlatform

/// The state that every property access checks first, at a fixed address.
///
/// Reading it performs no reference counting. A realm has weak references, which make each
/// reference count as expensive as the rest of an access.
struct AccessGate {
    /// The thread that may read without further checks.
    ///
    /// The value is `nil` if every access needs checks, as for a frozen realm.
    let owner: ThreadIdentity?
    /// The epoch, which changes whenever reads may see something else.
    var epoch: UInt64 = 1
    /// The first epoch after the last invalidation of the realm.
    ///
    /// Objects from earlier epochs remain invalidated.
    var validSince: UInt64 = 0
    /// The instance, which owns this memory.
    let instance: Unmanaged<RealmInstance>

    init(_ instance: RealmInstance, _ confinement: Confinement, isFrozen: Bool) {
        self.instance = .passUnretained(instance)
        owner = isFrozen ? nil : confinement.thread
    }
}
