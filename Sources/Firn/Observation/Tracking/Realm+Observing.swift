import FirnEngine
import FirnQuery
import FirnValues

/// Being told that a realm shows another version.
extension Realm {
    /// What happened to a realm.
    public enum Notification: String, Sendable {
        /// It shows another version than before.
        case didChange
        /// There is a newer version than it shows, and ``Realm/autorefresh`` is off.
        case refreshRequired
    }

    /// Calls a block whenever the realm shows another version: after its own commits, before they
    /// return, and when it has moved on to what others committed.
    ///
    /// A commit that changed nothing makes no version. The realms of this process are told of it all the
    /// same; other processes are not.
    ///
    /// - Parameter block: called where the realm is used. The program stops for a realm that is frozen
    ///   or opened for reading only.
    /// - Returns: a token; the block is called as long as somebody holds it, and the file has its name.
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

    /// What happens to the realm; if the loop is busy, only the last of it.
    ///
    /// It ends when the file is removed or replaced.
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

/// Tells a block that the realm shows another version.
private final class RealmObserver: Observer, @unchecked Sendable {
    /// The instance has this, until the token ends.
    private let instance: RealmInstance
    private let whenEnded: @Sendable () -> Void
    private let block: (Realm.Notification, Realm) -> Void
    private var known: LSN
    /// Whether a commit that changed nothing is to be told.
    private var hasEmptyCommit = false
    /// The newest version that it was told of without seeing it.
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
