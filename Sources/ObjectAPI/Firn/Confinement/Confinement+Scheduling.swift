import Dispatch
import FirnPlatform
import FirnValues

extension Confinement {
    /// Schedules code to run later where the realm may be used.
    ///
    /// - Returns: `false` if the code cannot run there. Threads other than the main one do not look
    ///   for work, and an actor may have been freed.
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

    /// Whether ``schedule(_:)`` can run code.
    var canSchedule: Bool {
        switch self {
        case .main, .queue, .actor: true
        case .thread, .everywhere: false
        }
    }

    private static func run(
        _ work: @Sendable () -> Void, on actor: isolated some Actor
    ) async { work() }

    /// The main thread, or `nil` until this property is first read on it.
    static var mainThread: ThreadIdentity? {
        known.withLock { known in
            if known == nil, ThreadIdentity.isMain { known = .current }
            return known
        }
    }

    private static let known = Guarded<ThreadIdentity?>(nil)
}
