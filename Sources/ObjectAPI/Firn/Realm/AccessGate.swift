import FirnPlatform

/// The state that every property access checks first, at a fixed address.
///
/// Reading it performs no reference counting. A realm has weak references, which make each
/// reference count as expensive as the rest of an access.
struct AccessGate: ~Copyable {
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
    /// The slots that have users.
    ///
    /// While there are any, the instance is retained.
    private let users = UserCount()

    init(_ instance: RealmInstance, _ confinement: Confinement, isFrozen: Bool) {
        self.instance = .passUnretained(instance)
        owner = isFrozen ? nil : confinement.thread
    }

    /// Adds a user.
    ///
    /// The caller keeps the instance alive during the call.
    func retain() { if users.add() { _ = instance.retain() } }

    /// Removes a user.
    ///
    /// After the last one, the memory of the gate may be freed.
    static func release(_ gate: UnsafeMutablePointer<AccessGate>) {
        let instance = gate.pointee.instance
        if gate.pointee.users.remove() { instance.release() }
    }
}
