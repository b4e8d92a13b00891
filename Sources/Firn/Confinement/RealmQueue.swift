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
        let id = ObjectIdentifier(queue)
        // Both leave the lock: freeing a mark takes it.
        (mark, _) = RealmQueue.marks.withLock { marks in
            let known = marks[id]?.mark
            // Another queue may have been at the same address before.
            if let known, queue.getSpecific(key: known.key) != nil { return (known, known) }
            let mark = Mark(id)
            marks[id] = WeakMark(mark)
            return (mark, known ?? mark)
        }
        // The queue keeps its mark.
        queue.setSpecific(key: mark.key, value: mark)
    }

    /// Whether an object is this queue.
    ///
    /// On Linux each look at `DispatchQueue.main` gives another object for the same queue.
    func stands(for queue: DispatchQueue) -> Bool { queue.getSpecific(key: mark.key) != nil }

    /// Whether the caller runs on the queue.
    var isCurrent: Bool { DispatchQueue.getSpecific(key: mark.key) != nil }

    static let main = RealmQueue(.main)

    /// What a queue, and every queue that runs on it, has a value for.
    final class Mark: @unchecked Sendable {
        fileprivate let key = DispatchSpecificKey<Mark>()
        private let queue: ObjectIdentifier

        fileprivate init(_ queue: ObjectIdentifier) { self.queue = queue }

        deinit {
            let (queue, id) = (queue, ObjectIdentifier(self))
            RealmQueue.marks.withLock { marks in
                if marks[queue]?.id == id { marks[queue] = nil }
            }
        }
    }

    final class WeakMark: @unchecked Sendable {
        fileprivate weak var mark: Mark?
        fileprivate let id: ObjectIdentifier

        fileprivate init(_ mark: Mark) {
            self.mark = mark
            id = ObjectIdentifier(mark)
        }
    }

    /// By queue; each goes with its queue.
    static let marks = Guarded<[ObjectIdentifier: WeakMark]>([:])
}
