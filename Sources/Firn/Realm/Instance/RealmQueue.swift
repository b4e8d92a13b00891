import Dispatch
import FirnPlatform

/// A serial queue that a realm is used on, which can be asked whether it runs.
///
/// What Dispatch has for that stops the program, and says neither where it was nor what to do.
struct RealmQueue: Sendable {
    let queue: DispatchQueue
    private let mark: Mark

    init(_ queue: DispatchQueue) {
        self.queue = queue
        mark = RealmQueue.marks.withLock { marks in
            let mark = marks[ObjectIdentifier(queue)] ?? Mark()
            marks[ObjectIdentifier(queue)] = mark
            return mark
        }
        // Also of a mark that is known: it may be that of a queue that was at the same address.
        queue.setSpecific(key: mark.key, value: true)
    }

    /// Whether an object is this queue.
    ///
    /// On Linux each look at `DispatchQueue.main` gives another object for the same queue.
    func stands(for queue: DispatchQueue) -> Bool { queue.getSpecific(key: mark.key) != nil }

    /// Whether the caller runs on the queue.
    var isCurrent: Bool { DispatchQueue.getSpecific(key: mark.key) != nil }

    static let main = RealmQueue(.main)

    /// What a queue, and every queue that runs on it, has a value for.
    private struct Mark: @unchecked Sendable {
        let key = DispatchSpecificKey<Bool>()
    }

    /// Never freed: a queue may have its mark longer than it has realms.
    private static let marks = Guarded<[ObjectIdentifier: Mark]>([:])
}
