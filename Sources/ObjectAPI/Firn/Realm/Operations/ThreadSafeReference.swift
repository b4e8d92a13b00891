import FirnPlatform
import FirnValues

/// A reference that passes part of a realm to another thread, queue or actor.
///
///     let reference = ThreadSafeReference(to: person)
///     queue.async {
///         let realm = try! Realm(configuration: configuration)
///         guard let person = realm.resolve(reference) else { return }  // deleted meanwhile
///         ...
///     }
///
/// The version in which the reference was made remains readable until the reference is resolved or
/// released.
public final class ThreadSafeReference<Confined: ThreadConfined>: @unchecked Sendable {
    /// The source, or `nil` once the reference was resolved.
    private var source: PortableSource<Confined>?
    private let lock = Lock()

    /// Creates a reference.
    ///
    /// A reference that is made in a write transaction resolves to the state of that transaction
    /// once it is committed. If the transaction is cancelled, the reference resolves to the
    /// previous state.
    ///
    /// - Parameter confined: A managed value that is not invalidated. The program stops otherwise.
    public init(to confined: Confined) { source = PortableSource(confined) }

    /// A Boolean value that indicates whether the reference was already resolved.
    public var isInvalidated: Bool { lock.withLock { source == nil } }

    func take() -> PortableSource<Confined>? {
        lock.withLock {
            defer { source = nil }
            return source
        }
    }
}

extension Realm {
    /// Returns the value of a reference in this realm.
    ///
    /// If the reference is from a later version than the realm shows, the realm is refreshed. If
    /// nothing was read from the realm yet, it begins with the version of the reference, until it is
    /// refreshed or written to.
    ///
    /// - Parameter reference: A reference that was not resolved before. The program stops
    ///   otherwise.
    /// - Returns: The value, or `nil` if it was deleted in the meantime.
    public func resolve<Confined: ThreadConfined>(
        _ reference: ThreadSafeReference<Confined>
    ) -> Confined? {
        instance.checkConfinement()
        guard let source = reference.take() else {
            misuse("a ThreadSafeReference can only be resolved once: make another one")
        }
        source.begin(instance)
        return source.found(in: self)
    }
}
