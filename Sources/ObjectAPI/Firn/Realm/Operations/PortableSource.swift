import FirnEngine
import FirnPlatform
import FirnQuery
import FirnValues

/// A reference to part of a realm that any thread may hold and resolve in another realm.
struct PortableSource<Confined: ThreadConfined> {
    /// The source in the version before the open transaction, or `nil` if it did not exist.
    private let committed: Confined?
    /// The source in the open transaction, and the outcome of that transaction.
    private let written: (source: Confined, outcome: TransactionOutcome)?

    /// - Parameter confined: A managed value that is not invalidated. The program stops otherwise.
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

    /// Returns the source in a realm, or `nil` if it does not exist there.
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

    /// Makes a realm show the version of the reference, if nothing has been read from it yet.
    ///
    /// The source is then found as it was when the reference was made, even if it was changed or
    /// deleted in the meantime.
    func begin(_ instance: RealmInstance) {
        guard written == nil, let older = committed?.realm?.instance.snapshot else { return }
        instance.begin(at: older)
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
    /// Shows an older version that is still readable, unless something has been read already.
    fileprivate func begin(at older: DatabaseSnapshot) {
        let isUntouched = bindings.isEmpty && dynamicBindings.isEmpty && observation.isEmpty
        guard isUntouched, transaction == nil, !isFrozen, !advancesAutomatically,
            !file.configuration.readOnly, older.version < snapshot.version, file.isComplete(older)
        else { return }
        show(older)
    }

    /// The state and the outcome of the open transaction, accessible from any thread.
    ///
    /// The value is `nil` if the transaction has changed nothing.
    ///
    /// - Complexity: O(objects created since the last call)
    fileprivate var uncommitted: (instance: RealmInstance, outcome: TransactionOutcome)? {
        guard let outcome = changingOutcome() else { return nil }
        return reading(
            "referring to a change",
            (RealmInstance(file, .everywhere, try currentSnapshot(), isFrozen: true), outcome))
    }
}
