import Dispatch
import FirnPlatform
import FirnValues

/// The place where a realm and everything that was read from it may be used.
enum Confinement: Sendable {
    /// One thread.
    case thread(ThreadIdentity)
    /// The main thread, the main queue and the main actor, which are one place.
    ///
    /// A realm that one of them opened can be used by the others. The associated value is the main
    /// thread, if it was known when the confinement was created.
    case main(ThreadIdentity?)
    /// The blocks of one serial queue other than the main queue.
    case queue(RealmQueue)
    /// One actor other than the main actor.
    case actor(RealmActor)
    /// Any place, because frozen values never change.
    case everywhere

    /// The thread of the caller, or the main place.
    static var ofCaller: Confinement { isOnMain ? .main(mainThread) : .thread(.current) }

    /// Returns the confinement of the blocks of a serial queue.
    static func of(_ queue: DispatchQueue) -> Confinement {
        RealmQueue.main.stands(for: queue) ? .main(mainThread) : .queue(RealmQueue(queue))
    }

    /// Returns the confinement of an actor.
    static func of(_ actor: any Actor) -> Confinement {
        actor is MainActor ? .main(mainThread) : .actor(RealmActor(actor))
    }

    /// Whether the caller runs in the main place.
    ///
    /// On Linux the main thread of an asynchronous program ends. The main queue, with everything
    /// that belongs to the main actor, then runs on other threads, one at a time.
    static var isOnMain: Bool {
        // The queue is checked first, because that requires no system call.
        RealmQueue.main.isCurrent || ThreadIdentity.isMain
    }

    /// Whether the caller runs in this place.
    var isOfCaller: Bool {
        switch self {
        case .thread(let owner): owner == ThreadIdentity.current
        case .main: Confinement.isOnMain
        case .queue(let owner): owner.isCurrent
        case .actor, .everywhere: true
        }
    }

    /// Stops the program if the caller runs elsewhere.
    @inline(__always)
    func check(_ path: String) {
        if let thread, thread == ThreadIdentity.current { return }
        checkSlowly(path)
    }

    /// The thread on which access is allowed without further checks.
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

    /// The description of the thread of the caller.
    static var here: String {
        ThreadIdentity.isMain
            ? "\(ThreadIdentity.current), the main thread" : "\(ThreadIdentity.current)"
    }

    /// The key that identifies the instance among the instances of a file.
    var key: Key {
        switch self {
        case .thread(let thread): .thread(thread)
        case .main: .main
        case .queue(let queue): .object(ObjectIdentifier(queue.queue))
        case .actor(let owner): .object(owner.id)
        case .everywhere: .none
        }
    }

    /// Returns whether another confinement with the same key is the same place.
    ///
    /// A new actor may have the address of an actor that was freed.
    func isSamePlace(as other: Confinement) -> Bool {
        guard case .actor(let owner) = self, case .actor(let theirs) = other else { return true }
        guard let actor = owner.actor else { return false }
        return actor === theirs.actor
    }

    /// The actor, for a caller that retains it until some work is done.
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

/// The actor to which a realm belongs.
///
/// The reference is weak. Otherwise an actor that stores its realm, and the version that the realm
/// shows, would never be freed.
final class RealmActor: @unchecked Sendable {
    /// The actor, or `nil` after it was freed.
    private(set) weak var actor: (any Actor)?
    let id: ObjectIdentifier
    let type: any Actor.Type

    init(_ actor: any Actor) {
        self.actor = actor
        id = ObjectIdentifier(actor)
        type = Swift.type(of: actor)
    }
}
