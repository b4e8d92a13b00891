import FirnEngine
import FirnQuery
import FirnValues

/// Finds out, version by version, how something changed: the part of an observer that does not
/// depend on who is told.
class Tracker<Change> {
    /// Whose version it follows.
    let instance: RealmInstance
    /// The version that the last change led to; `nil` before the first.
    private(set) var position: DatabaseSnapshot?
    /// Whether what is observed is gone: nothing will happen to it any more.
    final var isOver = false

    /// - Parameter position: where it begins; `nil` if the first change is how things are.
    init(_ instance: RealmInstance, at position: DatabaseSnapshot? = nil) {
        self.instance = instance
        self.position = position
    }

    /// Whether the realm shows another version than the last change led to.
    final var isDue: Bool {
        guard !isOver else { return false }
        return position.map { $0.version < instance.snapshot.version } ?? true
    }

    /// What happened up to the version that the realm shows; `nil` if that is nothing.
    final func next(_ source: ChangeSource) throws(StoreError) -> Change? {
        guard isDue else { return nil }
        let newest = source.newest
        guard let old = position else {
            position = newest
            return try start(on: newest)
        }
        let step = Step(
            live: try source.step(from: old), isOwn: source.includesOwnCommit(since: old))
        position = newest
        return try advance(step)
    }

    /// How things are.
    func start(on snapshot: DatabaseSnapshot) throws(StoreError) -> Change? { nil }

    /// What a step did; `nil` if that is nothing.
    func advance(_ step: Step) throws(StoreError) -> Change? {
        misuse("a tracker of nothing")
    }

    /// That the database cannot be read, or is gone; `nil` if there is no way to say so.
    func failed(_ error: StoreError) -> Change? {
        guard error.isLostName else { instance.stop(error, "observing") }
        return nil
    }

    /// The realm was invalidated: what came out of it is to be found anew.
    func renew() {}
}

/// A step from one version to a later one.
struct Step {
    /// What all share who take it.
    let live: LiveStep
    /// Whether the realm that observes has itself a part in it.
    let isOwn: Bool

    var old: DatabaseSnapshot { live.old }
    var new: DatabaseSnapshot { live.new }
    var changes: VersionChanges { live.changes }
}

extension StoreError {
    /// Does something with a query that was bound in this process.
    static func querying<Result>(
        _ body: () throws(QueryFailure) -> Result
    ) throws(StoreError) -> Result {
        do throws(QueryFailure) {
            return try body()
        } catch {
            switch error {
            case .store(let error): throw error
            case .query(let error): misuse("a query cannot be observed: \(error.message)")
            }
        }
    }
}
