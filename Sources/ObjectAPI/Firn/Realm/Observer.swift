import FirnEngine
import FirnPlatform
import FirnQuery
import FirnValues

/// An observer of part of a realm, one for each token.
///
/// Except for ``registration``, it is confined to where its realm is used.
class Observer: @unchecked Sendable {
    let registration: Registration

    init(_ registration: Registration) { self.registration = registration }

    /// Whether the observer is notified during the commit of its realm, and not only later.
    var isImmediate: Bool { false }

    /// Whether there may be changes to report, judging by the version that the realm shows.
    var isDue: Bool { misuse("an observer of nothing") }

    /// Reports the changes up to the version that the realm shows.
    func deliver(_ changes: ChangeSource) { misuse("an observer of nothing") }

    /// Advances to the version that the realm shows without reporting it.
    ///
    /// - Parameter base: The version before the one that is not reported. An observer that has not
    ///   reached this version has more changes to report, and stays where it is.
    func skip(from base: DatabaseSnapshot, _ changes: ChangeSource) {
        misuse("an observer of nothing")
    }

    /// Reports that the database cannot be read or is gone, and ends the observation.
    func fail(_ error: StoreError) { misuse("an observer of nothing") }

    /// Records that a commit of this process changed nothing and created no version.
    func noteEmptyCommit() {}

    /// Records that there is a newer version, and that the realm does not advance automatically.
    func refreshRequired(_ version: LSN) {}

    /// Drops what was looked up in the realm, because the realm was invalidated.
    func renew() {}

    /// Called on any thread when the token has ended.
    func ended() {}
}

extension StoreError {
    /// Whether the error means that the database was removed or replaced, which a program can
    /// survive.
    var isLostName: Bool { code == .missing }
}

/// The steps from the versions of the observers to the version that their realm shows.
///
/// Each step is computed once for all observers.
final class ChangeSource {
    let instance: RealmInstance
    /// The known steps, by the version at which they begin.
    private var known: [LSN: LiveStep] = [:]
    /// The version at which the steps end.
    private var end: LSN

    init(_ instance: RealmInstance) {
        self.instance = instance
        end = instance.snapshot.version
    }

    /// The version that the realm shows.
    var newest: DatabaseSnapshot { instance.snapshot }

    func step(from old: DatabaseSnapshot) throws(StoreError) -> LiveStep {
        let newest = self.newest
        if newest.version != end {
            known = [:]
            end = newest.version
        }
        if let step = known[old.version] { return step }
        let changes = try instance.file.database.changes(from: old, to: newest)
        let step = LiveStep(from: old, to: newest, by: changes)
        known[old.version] = step
        return step
    }

    /// Returns whether the realm itself committed any of the changes since a version.
    func includesOwnCommit(since old: DatabaseSnapshot) -> Bool {
        instance.observation.lastOwnCommit.map { $0 > old.version } ?? false
    }
}
