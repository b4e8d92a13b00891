import FirnEngine
import FirnQuery
import FirnSyntax
import FirnValues

/// A computation of how a source changed from version to version.
///
/// It is the part of an observer that does not depend on the receiver of the changes.
class Tracker<Change> {
    /// The realm whose versions the tracker follows.
    let instance: RealmInstance
    /// The version to which the last change led, or `nil` before the first change.
    private(set) var position: DatabaseSnapshot?
    /// Whether the observed source is gone, so that no more changes occur.
    final var isOver = false

    /// - Parameter position: The starting version, or `nil` if the first change is the current
    ///   state.
    init(_ instance: RealmInstance, at position: DatabaseSnapshot? = nil) {
        self.instance = instance
        self.position = position
    }

    /// Whether the realm shows a version other than the one to which the last change led.
    final var isDue: Bool {
        guard !isOver else { return false }
        return position.map { $0.version < instance.snapshot.version } ?? true
    }

    /// Returns the change up to the version that the realm shows, or `nil` if nothing changed.
    final func next(_ source: ChangeSource) throws(StoreError) -> Change? {
        guard isDue else { return nil }
        let newest = source.newest
        guard let old = position else {
            position = newest
            return try start(on: newest)
        }
        let step = ObservedStep(
            live: try source.step(from: old), isOwn: source.includesOwnCommit(since: old))
        position = newest
        return try advance(step)
    }

    /// Returns the current state as a change.
    func start(on snapshot: DatabaseSnapshot) throws(StoreError) -> Change? { nil }

    /// Returns the change that a step made, or `nil` if it made none.
    func advance(_ step: ObservedStep) throws(StoreError) -> Change? {
        misuse("a tracker of nothing")
    }

    /// Returns the change that reports an error, or `nil` if the type of the changes has none.
    func failed(_ error: StoreError) -> Change? {
        guard error.isLostName else { instance.stop(error, "observing") }
        return nil
    }

    /// Drops what was looked up in the realm, because the realm was invalidated.
    func renew() {}
}

/// A step from one version to a later one.
struct ObservedStep {
    /// The part of the step that all observers share.
    let live: LiveStep
    /// Whether the observing realm itself made some of the changes.
    let isOwn: Bool

    var old: DatabaseSnapshot { live.old }
    var new: DatabaseSnapshot { live.new }
    var changes: VersionChanges { live.changes }
}

extension StoreError {
    /// Runs a closure with a query that was bound in this process.
    static func querying<Result>(
        _ result: @autoclosure () throws(QueryFailure) -> Result
    ) throws(StoreError) -> Result {
        do {
            return try result()
        } catch {
            switch error {
            case .store(let error): throw error
            case .query(let error): misuse("a query cannot be observed: \(error.message)")
            }
        }
    }
}
