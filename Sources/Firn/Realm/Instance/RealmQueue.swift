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

    /// Whether the caller runs on the queue.
    var isCurrent: Bool { DispatchQueue.getSpecific(key: mark.key) != nil }

    /// The main queue, if it runs the caller on a thread that is not the main one.
    ///
    /// On Linux the main thread of an asynchronous program ends, and what belongs to the main actor
    /// runs on one thread after the other.
    static var mainWithoutThread: RealmQueue? {
        guard !ThreadIdentity.isMain else { return nil }
        let main = RealmQueue(.main)
        return main.isCurrent ? main : nil
    }

    /// What a queue, and every queue that runs on it, has a value for.
    private struct Mark: @unchecked Sendable {
        let key = DispatchSpecificKey<Bool>()
    }

    /// Never freed: a queue may have its mark longer than it has realms.
    private static let marks = Guarded<[ObjectIdentifier: Mark]>([:])
}
