import Dispatch
import Firn

#if !canImport(Combine)
import OpenCombineDispatch
#endif

/// Something of a realm on its way to another thread, queue or actor.
public struct _Carrier<Content>: @unchecked Sendable {
    private enum Load {
        /// Belongs nowhere: it is frozen, or nothing of a realm.
        case free(Content)
        /// Is found again in a realm of the place where it arrives.
        case referred(Realm.Configuration, (Realm) -> Content?)
        case gone
    }

    private let load: Load

    init(free content: Content) { load = .free(content) }

    /// Carries something that belongs to a thread, queue or actor, unless it was deleted.
    ///
    /// - Parameter rebuild: what becomes of it.
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

    /// What arrives, of a realm of this place; `nil` if it was deleted on the way.
    ///
    /// - Parameter queue: the serial queue that this is; `nil` on a thread.
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

/// The queue that a scheduler stands for; `nil` if it is none.
func serialQueue(of scheduler: Any) -> DispatchQueue? {
    if let queue = scheduler as? DispatchQueue { return queue }
    #if canImport(Combine)
    return nil
    #else
    return (scheduler as? DispatchQueue.OCombine)?.queue
    #endif
}
