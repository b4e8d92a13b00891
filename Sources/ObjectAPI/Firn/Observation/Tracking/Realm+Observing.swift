import FirnEngine
import FirnQuery
import FirnValues

/// Observing the versions of a realm.
extension Realm {
    /// A notification about a realm.
    public enum Notification: String, Sendable {
        /// The realm shows a different version.
        case didChange
        /// A newer version than the realm shows exists, and ``Realm/autorefresh`` is off.
        case refreshRequired
    }

    /// Calls a block whenever the realm shows a different version.
    ///
    /// The block is called after the realm's own commits, before they return, and after the realm
    /// advanced to a version that another writer committed.
    ///
    /// A commit that changes nothing creates no version. The realms of this process are notified of
    /// it nevertheless; other processes are not.
    ///
    /// - Parameter block: A closure that is called where the realm is used. The program stops if
    ///   the realm is frozen or opened for reading only.
    /// - Returns: A token. The block is called as long as the token is retained and the file keeps
    ///   its name.
    public func observe(
        _ block: @escaping (_ notification: Notification, _ realm: Realm) -> Void
    ) -> NotificationToken {
        observe(whenEnded: {}, block)
    }

    private func observe(
        whenEnded end: @escaping @Sendable () -> Void,
        _ block: @escaping (_ notification: Notification, _ realm: Realm) -> Void
    ) -> NotificationToken {
        instance.checkObservable("realm")
        let registration = Registration()
        registration.attach(RealmObserver(registration, instance, end, block), to: instance)
        return NotificationToken(registration)
    }

    /// Returns an asynchronous stream of the notifications.
    ///
    /// If the loop is busy, only the newest notification is kept. The stream ends when the file is
    /// removed or replaced.
    public func changes() -> AsyncStream<Notification> {
        let (stream, continuation) = AsyncStream.makeStream(
            of: Notification.self, bufferingPolicy: .bufferingNewest(1))
        let token = observe(
            whenEnded: { continuation.finish() },
            { notification, _ in continuation.yield(notification) })
        continuation.onTermination = { _ in token.invalidate() }
        return stream
    }
}

/// An observer that calls a block when the realm shows a different version.
private final class RealmObserver: Observer, @unchecked Sendable {
    /// The realm, which retains the observer until the token ends.
    private let instance: RealmInstance
    private let whenEnded: @Sendable () -> Void
    private let block: (Realm.Notification, Realm) -> Void
    private var known: LSN
    /// Whether a commit that changed nothing is to be reported.
    private var hasEmptyCommit = false
    /// The newest version that was announced but is not yet shown.
    private var required: LSN

    init(
        _ registration: Registration, _ instance: RealmInstance,
        _ whenEnded: @escaping @Sendable () -> Void,
        _ block: @escaping (Realm.Notification, Realm) -> Void
    ) {
        self.instance = instance
        self.whenEnded = whenEnded
        self.block = block
        known = instance.snapshot.version
        required = known
        super.init(registration)
    }

    override var isImmediate: Bool { true }

    override var isDue: Bool { hasEmptyCommit || instance.snapshot.version > known }

    override func noteEmptyCommit() { hasEmptyCommit = true }

    override func deliver(_ changes: ChangeSource) {
        hasEmptyCommit = false
        known = instance.snapshot.version
        required = max(required, known)
        block(.didChange, Realm(instance))
    }

    override func skip(from base: DatabaseSnapshot, _ changes: ChangeSource) {
        if known == base.version { known = instance.snapshot.version }
    }

    override func refreshRequired(_ version: LSN) {
        guard version > required else { return }
        required = version
        block(.refreshRequired, Realm(instance))
    }

    override func fail(_ error: StoreError) {
        guard error.isLostName else { instance.stop(error, "observing a realm") }
        registration.end()
    }

    override func ended() { whenEnded() }
}
