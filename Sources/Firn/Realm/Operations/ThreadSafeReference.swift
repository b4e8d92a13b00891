import FirnPlatform

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
    /// `nil` once it was resolved.
    private var source: PortableSource<Confined>?
    private let lock = Lock()

    /// Makes a reference.
    ///
    /// In a write transaction it leads to what the transaction has, once that is committed; to what was
    /// there before if the transaction is cancelled.
    ///
    /// - Parameter confined: managed and not invalidated; the program stops otherwise.
    public init(to confined: Confined) { source = PortableSource(confined) }

    /// Whether it was resolved already, or what it leads to was deleted before it was made.
    public var isInvalidated: Bool { lock.withLock { source == nil } }

    func take() -> PortableSource<Confined>? {
        lock.withLock {
            defer { source = nil }
            return source
        }
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
        return source.found(in: self)
    }
}
