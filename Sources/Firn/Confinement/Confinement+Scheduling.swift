import Dispatch
import FirnPlatform

extension Confinement {
    /// Runs code where the realm may be used, later.
    ///
    /// - Returns: `false` if nothing can run code there: no thread but the main one looks for work, and
    ///   an actor may have been freed.
    func schedule(_ work: @escaping @Sendable () -> Void) -> Bool {
        switch self {
        case .thread, .everywhere: return false
        case .main: DispatchQueue.main.async(execute: work)
        case .queue(let queue): queue.queue.async(execute: work)
        case .actor(let owner):
            guard let actor = owner.actor else { return false }
            Task { await Confinement.run(work, on: actor) }
        }
        return true
    }

    /// Whether ``schedule(_:)`` can run anything.
    var canSchedule: Bool {
        switch self {
        case .main, .queue, .actor: true
        case .thread, .everywhere: false
        }
    }

    private static func run(
        _ work: @Sendable () -> Void, on actor: isolated some Actor
    ) async { work() }

    /// The main thread, once anybody has asked for it there.
    static var mainThread: ThreadIdentity? {
        known.withLock { known in
            if known == nil, ThreadIdentity.isMain { known = .current }
            return known
        }
    }

    private static let known = Guarded<ThreadIdentity?>(nil)
}
