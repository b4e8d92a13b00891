import FirnPlatform

/// What every access of a property looks at first, at an address of its own.
///
/// Reading it counts no references: a realm is known to weak ones, and then each count of it costs as
/// much as all the rest of an access.
struct AccessGate {
    /// The thread that may read without further questions; `nil` if they must be asked, as for a
    /// frozen realm.
    let owner: ThreadIdentity?
    /// Changes whenever what reads see may have changed.
    var epoch: UInt64 = 1

    init(_ confinement: Confinement, isFrozen: Bool) {
        owner = isFrozen ? nil : confinement.thread
    }
}
