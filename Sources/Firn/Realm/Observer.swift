import FirnEngine
import FirnPlatform
import FirnQuery
import FirnValues

/// Somebody who is told what happens to something of a realm: one for each token.
///
/// Belongs to where its realm is used, except for ``registration``.
class Observer: @unchecked Sendable {
    let registration: Registration

    init(_ registration: Registration) { self.registration = registration }

    /// Whether it is told while the commit of its realm goes on, and not only later.
    var isImmediate: Bool { false }

    /// Whether there may be something to tell, as far as the version that the realm shows says.
    var isDue: Bool { misuse("an observer of nothing") }

    /// Tells what happened up to the version that the realm shows.
    func deliver(_ changes: ChangeSource) { misuse("an observer of nothing") }

    /// Goes on to the version that the realm shows without a word.
    ///
    /// - Parameter base: the version before the one that nothing is to be told about. Whoever is not
    ///   at it yet has more to be told about, and stays where it is.
    func skip(from base: DatabaseSnapshot, _ changes: ChangeSource) {
        misuse("an observer of nothing")
    }

    /// Tells that the database cannot be read, or is gone, and ends.
    func fail(_ error: StoreError) { misuse("an observer of nothing") }

    /// A commit of this process changed nothing, and made no version.
    func noteEmptyCommit() {}

    /// There is a newer version than the realm shows, and it does not move on by itself.
    func refreshRequired(_ version: LSN) {}

    /// The realm was invalidated: what came out of it is to be found anew.
    func renew() {}

    /// The token has ended, on any thread.
    func ended() {}
}

extension StoreError {
    /// Whether the database was removed or another took its place, which a program may outlive.
    var isLostName: Bool { code == .missing }
}

/// The steps from the versions that observers are at to the one that their realm shows, each found
/// once for all of them.
final class ChangeSource {
    let instance: RealmInstance
    /// Of the versions that a step begins at.
    private var known: [LSN: LiveStep] = [:]
    /// The version that the steps end at.
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

    /// Whether a commit of the realm itself is among what happened since a version.
    func includesOwnCommit(since old: DatabaseSnapshot) -> Bool {
        instance.observation.lastOwnCommit.map { $0 > old.version } ?? false
    }
}
