import FirnPlatform
import FirnQuery

/// Passes something of a realm to another thread, queue or actor.
///
///     let reference = ThreadSafeReference(to: person)
///     queue.async {
///         let realm = try! Realm(configuration: configuration)
///         guard let person = realm.resolve(reference) else { return }  // deleted meanwhile
///         ...
///     }
///
/// The version that the reference was made in stays readable until it is resolved or given up.
public final class ThreadSafeReference<Confined: ThreadConfined>: @unchecked Sendable {
    /// Of a frozen realm, and so usable everywhere; `nil` once it was resolved.
    private var source: Confined?
    private let lock = Lock()

    /// Makes a reference.
    ///
    /// - Parameter confined: managed and not invalidated, and committed; the program stops otherwise.
    public init(to confined: Confined) {
        guard let realm = confined.realm else {
            misuse(
                "a reference to an unmanaged \(Confined.self), which can be passed to other threads "
                    + "as it is")
        }
        guard !confined.isInvalidated else {
            misuse(
                "a reference to a \(Confined.self) that was deleted or invalidated: ask isInvalidated "
                    + "before")
        }
        let committed = realm.isFrozen ? realm : realm.instance.committed
        guard let source = confined._moved(to: committed) else {
            misuse(
                "a reference to a \(Confined.self) that was made in the open write transaction: "
                    + "commit first")
        }
        self.source = source
    }

    /// Whether it was resolved already, or what it leads to was deleted before it was made.
    public var isInvalidated: Bool { lock.withLock { source == nil } }

    func take() -> Confined? {
        lock.withLock {
            defer { source = nil }
            return source
        }
    }
}

extension RealmInstance {
    /// The version that the realm shows, without what its open transaction did.
    fileprivate var committed: Realm {
        checkConfinement()
        return Realm(file.frozen(snapshot))
    }
}

extension Realm {
    /// What a reference leads to, in this realm.
    ///
    /// If the reference is from a later version than the realm shows, the realm is refreshed.
    ///
    /// - Parameter reference: resolved never before; the program stops otherwise.
    /// - Returns: `nil` if it was deleted meanwhile.
    public func resolve<Confined: ThreadConfined>(
        _ reference: ThreadSafeReference<Confined>
    ) -> Confined? {
        instance.checkConfinement()
        guard let source = reference.take() else {
            misuse("a ThreadSafeReference can only be resolved once: make another one")
        }
        let version = source.realm?.instance.snapshot.version
        if let version, version > instance.snapshot.version, !isFrozen, !isInWriteTransaction {
            refresh()
        }
        return source._moved(to: self)
    }
}
