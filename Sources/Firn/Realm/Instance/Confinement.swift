import Dispatch
import FirnPlatform
import FirnValues

/// Where a realm and everything that came out of it may be used.
enum Confinement: Sendable {
    /// On one thread.
    case thread(ThreadIdentity)
    /// By the blocks of one serial queue.
    case queue(RealmQueue)
    /// By one actor.
    case actor(any Actor)
    /// Everywhere: what is frozen never changes.
    case everywhere

    /// The thread of the caller, or the main queue where that has no thread of its own.
    static var ofCaller: Confinement {
        RealmQueue.mainWithoutThread.map { .queue($0) } ?? .thread(.current)
    }

    /// Stops the program if the caller runs somewhere else.
    @inline(__always)
    func check(_ path: String) {
        if case .thread(let owner) = self, owner == ThreadIdentity.current { return }
        checkSlowly(path)
    }

    private func checkSlowly(_ path: String) {
        switch self {
        case .thread(let owner):
            misuse(Confinement.breach(path, "\(owner)"))
        case .queue(let owner):
            guard owner.isCurrent else {
                misuse(Confinement.breach(path, "the queue \"\(owner.queue.label)\""))
            }
        case .actor(let actor):
            actor.preconditionIsolated(
                Confinement.breach(path, "the actor \(type(of: actor))"))
        case .everywhere: break
        }
    }

    private static func breach(_ path: String, _ owner: String) -> String {
        "the realm at \(path) belongs to \(owner) and is used on \(here): open the realm there "
            + "again, or pass a ThreadSafeReference or a frozen object"
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
        case .queue(let queue): .object(ObjectIdentifier(queue.queue))
        case .actor(let actor): .object(ObjectIdentifier(actor))
        case .everywhere: .none
        }
    }

    enum Key: Hashable, Sendable {
        case thread(ThreadIdentity)
        case object(ObjectIdentifier)
        case version(LSN)
        case none
    }
}
