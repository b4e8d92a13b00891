import Dispatch
import FirnPlatform
import FirnValues

/// Where a realm and everything that came out of it may be used.
enum Confinement: Sendable {
    /// On one thread.
    case thread(ThreadIdentity)
    /// By the blocks of one serial queue.
    case queue(DispatchQueue)
    /// By one actor.
    case actor(any Actor)
    /// Everywhere: what is frozen never changes.
    case everywhere

    /// Stops the program if the caller runs somewhere else.
    @inline(__always)
    func check(_ path: String) {
        if case .thread(let owner) = self, owner == ThreadIdentity.current { return }
        checkSlowly(path)
    }

    private func checkSlowly(_ path: String) {
        switch self {
        case .thread(let owner):
            misuse(
                "the realm at \(path) belongs to \(owner) and is used on "
                    + "\(ThreadIdentity.current): open the realm there again, or pass a "
                    + "ThreadSafeReference or a frozen object")
        case .queue(let queue): dispatchPrecondition(condition: .onQueue(queue))
        case .actor(let actor):
            actor.preconditionIsolated(
                "the realm at \(path) belongs to another actor: open it there again, or pass a "
                    + "ThreadSafeReference or a frozen object")
        case .everywhere: break
        }
    }

    /// What tells instances of one file apart.
    var key: Key {
        switch self {
        case .thread(let thread): .thread(thread)
        case .queue(let queue): .object(ObjectIdentifier(queue))
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
