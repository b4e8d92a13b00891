import Dispatch
import FirnPlatform
import FirnValues

/// Where a realm and everything that came out of it may be used.
enum Confinement: Sendable {
    /// On one thread.
    case thread(ThreadIdentity)
    /// On the main thread, by the main queue and by the main actor, which are one place: what one of
    /// them opened, the others use. The thread, if it was there when somebody asked.
    case main(ThreadIdentity?)
    /// By the blocks of one serial queue, other than the main one.
    case queue(RealmQueue)
    /// By one actor, other than the main one.
    case actor(RealmActor)
    /// Everywhere: what is frozen never changes.
    case everywhere

    /// The thread of the caller, or the main place.
    static var ofCaller: Confinement { isOnMain ? .main(mainThread) : .thread(.current) }

    /// Where the blocks of a serial queue run.
    static func of(_ queue: DispatchQueue) -> Confinement {
        RealmQueue.main.stands(for: queue) ? .main(mainThread) : .queue(RealmQueue(queue))
    }

    /// Where an actor runs.
    static func of(_ actor: any Actor) -> Confinement {
        actor is MainActor ? .main(mainThread) : .actor(RealmActor(actor))
    }

    /// Whether the caller is at the main place.
    ///
    /// On Linux the main thread of an asynchronous program ends, and then the main queue, with all that
    /// belongs to the main actor, runs on one thread after the other.
    static var isOnMain: Bool {
        // In this order: the system is asked for its threads, the queue is not.
        RealmQueue.main.isCurrent || ThreadIdentity.isMain
    }

    /// Whether the caller is there.
    var isOfCaller: Bool {
        switch self {
        case .thread(let owner): owner == ThreadIdentity.current
        case .main: Confinement.isOnMain
        case .queue(let owner): owner.isCurrent
        case .actor, .everywhere: true
        }
    }

    /// Stops the program if the caller runs somewhere else.
    @inline(__always)
    func check(_ path: String) {
        if let thread, thread == ThreadIdentity.current { return }
        checkSlowly(path)
    }

    /// The thread on which everything is allowed without further questions.
    @inline(__always)
    var thread: ThreadIdentity? {
        switch self {
        case .thread(let thread): thread
        case .main(let thread): thread
        case .queue, .actor, .everywhere: nil
        }
    }

    private func checkSlowly(_ path: String) {
        if case .actor(let owner) = self {
            guard let actor = owner.actor else { misuse(Confinement.outlived(path, name)) }
            return actor.preconditionIsolated(Confinement.breach(path, name))
        }
        guard isOfCaller else { misuse(Confinement.breach(path, name)) }
    }

    private var name: String {
        switch self {
        case .thread(let owner): "\(owner)"
        case .main: "the main thread"
        case .queue(let owner): "the queue \"\(owner.queue.label)\""
        case .actor(let owner): "the actor \(owner.type)"
        case .everywhere: "nobody"
        }
    }

    private static func breach(_ path: String, _ owner: String) -> String {
        "the realm at \(path) belongs to \(owner) and is used on \(here): open the realm there "
            + "again, or pass a ThreadSafeReference or a frozen object"
    }

    private static func outlived(_ path: String, _ owner: String) -> String {
        "the realm at \(path) belonged to \(owner), which does not exist any more: keep the actor "
            + "as long as its realm is used"
    }

    /// The thread of the caller.
    static var here: String {
        ThreadIdentity.isMain
            ? "\(ThreadIdentity.current), the main thread" : "\(ThreadIdentity.current)"
    }

    /// What tells instances of one file apart.
    var key: Key {
        switch self {
        case .thread(let thread): .thread(thread)
        case .main: .main
        case .queue(let queue): .object(ObjectIdentifier(queue.queue))
        case .actor(let owner): .object(owner.id)
        case .everywhere: .none
        }
    }

    /// Whether another confinement with the same key is the same place.
    ///
    /// Another actor may have the address of one that does not exist any more.
    func isSamePlace(as other: Confinement) -> Bool {
        guard case .actor(let owner) = self, case .actor(let theirs) = other else { return true }
        guard let actor = owner.actor else { return false }
        return actor === theirs.actor
    }

    /// The actor, for a caller that keeps it until some work is done.
    var actor: (any Actor)? {
        guard case .actor(let owner) = self else { return nil }
        return owner.actor
    }

    enum Key: Hashable, Sendable {
        case thread(ThreadIdentity)
        case main
        case object(ObjectIdentifier)
        case version(LSN)
        case none
    }
}
