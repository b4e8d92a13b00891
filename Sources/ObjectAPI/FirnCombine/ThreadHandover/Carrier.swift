import Dispatch
import Firn

#if !canImport(Combine)
import OpenCombineDispatch
#endif

/// Part of a realm on its way to another thread, queue or actor.
public struct _Carrier<Content>: @unchecked Sendable {
    private enum Load {
        /// A value that is not confined, because it is frozen or not part of a realm.
        case free(Content)
        /// A value that is resolved in a realm at its destination.
        case referred(Realm.Configuration, (Realm) -> Content?)
        case gone
    }

    private let load: Load

    init(free content: Content) { load = .free(content) }

    /// Creates a carrier of a confined value, unless that was deleted.
    ///
    /// - Parameter rebuild: Returns the content for the value at its destination.
    init<Confined: ThreadConfined>(
        of confined: Confined, _ rebuild: @escaping (Confined) -> Content
    ) {
        guard let realm = confined.realm, !confined.isFrozen else {
            load = .free(rebuild(confined))
            return
        }
        guard !confined.isInvalidated else {
            load = .gone
            return
        }
        let reference = ThreadSafeReference(to: confined)
        load = .referred(realm.configuration) { $0.resolve(reference).map(rebuild) }
    }

    /// Returns the content in a realm of this thread or queue.
    ///
    /// The result is `nil` if the content was deleted on the way.
    ///
    /// - Parameter queue: The current serial queue, or `nil` on a thread.
    func arrive(on queue: DispatchQueue?) -> Content? {
        switch load {
        case .free(let content): return content
        case .gone: return nil
        case .referred(let configuration, let resolve):
            do {
                return resolve(try Realm(configuration: configuration, queue: queue))
            } catch {
                misuse("what a publisher hands over needs a realm there: \(error)")
            }
        }
    }
}

extension _Carrier where Content: ThreadConfined {
    init(carrying content: Content) { self.init(of: content) { $0 } }
}

/// Returns the queue that a scheduler represents, or `nil` if it does not represent a queue.
func serialQueue(of scheduler: Any) -> DispatchQueue? {
    if let queue = scheduler as? DispatchQueue { return queue }
    #if canImport(Combine)
    return nil
    #else
    return (scheduler as? DispatchQueue.OCombine)?.queue
    #endif
}
