import Dispatch
import FirnPlatform
import FirnValues

/// A serial queue on which a realm is used, and which can tell whether the caller runs on it.
///
/// The check of Dispatch stops the program without saying where the error is or how to correct it.
struct RealmQueue: Sendable {
    let queue: DispatchQueue
    private let mark: Mark

    init(_ queue: DispatchQueue) {
        self.queue = queue
        let id = ObjectIdentifier(queue)
        // Both are returned from the lock, because freeing a mark takes the lock.
        (mark, _) = RealmQueue.marks.withLock { marks in
            let known = marks[id]?.mark
            // An earlier queue may have had the same address.
            if let known, queue.getSpecific(key: known.key) != nil { return (known, known) }
            let mark = Mark(id)
            marks[id] = WeakMark(mark)
            return (mark, known ?? mark)
        }
        // The queue retains its mark.
        queue.setSpecific(key: mark.key, value: mark)
    }

    /// Returns whether an object represents this queue.
    ///
    /// On Linux `DispatchQueue.main` returns a different object for the same queue on each access.
    func stands(for queue: DispatchQueue) -> Bool { queue.getSpecific(key: mark.key) != nil }

    /// Whether the caller runs on the queue.
    var isCurrent: Bool { DispatchQueue.getSpecific(key: mark.key) != nil }

    static let main = RealmQueue(.main)

    /// A mark that is set on a queue and inherited by every queue that targets it.
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

    /// The marks by queue, each of which is freed with its queue.
    static let marks = Guarded<[ObjectIdentifier: WeakMark]>([:])
}
