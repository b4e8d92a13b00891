import FirnEngine
import FirnPlatform
import FirnQuery
import FirnValues

/// A reference to a part of a realm that any thread may hold and resolve in another realm.
struct PortableSource<Confined: ThreadConfined> {
    /// The source as of the version before the open transaction; `nil` if it did not exist.
    private let committed: Confined?
    /// As the open transaction has it, and how that ends.
    private let written: (source: Confined, outcome: TransactionOutcome)?

    /// - Parameter confined: managed and not invalidated; the program stops otherwise.
    init(_ confined: Confined) {
        guard let realm = confined.realm else {
            misuse(
                "a reference to an unmanaged \(Confined.self), which can be passed to other threads "
                    + "as it is")
        }
        guard !confined.isInvalidated else {
            misuse(
                "a reference to a \(Confined.self) that was deleted or invalidated: ask isInvalidated "
                    + "before")
        }
        guard !realm.isFrozen else {
            (committed, written) = (confined, nil)
            return
        }
        let instance = realm.instance
        instance.checkConfinement()
        committed = confined._moved(to: Realm(instance.file.frozen(instance.snapshot)))
        written = instance.uncommitted.flatMap { uncommitted in
            confined._moved(to: Realm(uncommitted.instance)).map { ($0, uncommitted.outcome) }
        }
    }

    /// The same in a realm; `nil` if it is not there.
    ///
    /// A realm that shows an older version than that of the source is refreshed.
    func found(in realm: Realm) -> Confined? {
        let (source, version) = source(for: realm.instance)
        if let version, version > realm.instance.snapshot.version, !realm.isFrozen,
            !realm.isInWriteTransaction
        {
            realm.refresh()
        }
        return source?._moved(to: realm)
    }

    private func source(for instance: RealmInstance) -> (Confined?, LSN?) {
        let shown = committed?.realm?.instance.snapshot.version
        guard let written else { return (committed, shown) }
        switch written.outcome.state {
        case .committed(let version): return (written.source, version)
        case .open where instance.outcome === written.outcome: return (written.source, nil)
        case .open, .cancelled: return (committed, shown)
        }
    }
}

extension RealmInstance {
    /// What the open transaction has, for every thread, and how the transaction ends; `nil` while it has
    /// changed nothing.
    ///
    /// - Complexity: O(objects created since the last call)
    fileprivate var uncommitted: (instance: RealmInstance, outcome: TransactionOutcome)? {
        guard let outcome = changingOutcome() else { return nil }
        return reading("referring to a change") { () throws(StoreError) in
            (RealmInstance(file, .everywhere, try currentSnapshot(), isFrozen: true), outcome)
        }
    }
}
