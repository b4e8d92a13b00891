import FirnEngine
import FirnQuery
import FirnValues

/// A tracker of an ordered collection.
final class ElementsTracker<Value: ThreadConfined, Change>: Tracker<Change> {
    /// The closures that create the changes that blocks receive.
    struct Report {
        let initial: (Value) -> Change
        let update: (Value, ElementsChange, ObservedStep) -> Change
        let error: (StoreError) -> Change
    }

    private var value: Value
    private let core: (Value) -> _CollectionCore?
    private let move: (Value, RealmInstance) -> Value?
    private let paths: ObservedPaths
    private let report: Report
    private var live: (any LiveElements)?

    /// - Parameters:
    ///   - source: The collection, in any realm of the file.
    ///   - core: Returns the core of a collection.
    ///   - move: Returns the same collection in another realm, if possible.
    ///   - report: The closures that create the changes that blocks receive.
    init(
        _ source: Value, in instance: RealmInstance, observing paths: ObservedPaths,
        core: @escaping (Value) -> _CollectionCore?,
        move: @escaping (Value, RealmInstance) -> Value?, report: Report
    ) {
        self.report = report
        self.core = core
        self.move = move
        self.paths = paths
        let isThere = source.realm?.instance === instance
        let placed = isThere ? source : move(source, instance)
        value = placed ?? source
        super.init(instance)
        isOver = placed == nil
    }

    override func start(
        on snapshot: DatabaseSnapshot
    ) throws(StoreError) -> Change? {
        guard !value.isInvalidated, let core = core(value) else {
            isOver = true
            return nil
        }
        live = try core.live(paths, on: snapshot)
        return report.initial(value)
    }

    override func advance(
        _ step: ObservedStep
    ) throws(StoreError) -> Change? {
        let changes = try live?.advance(step)
        if step.changes.deletesObjects, value.isInvalidated { isOver = true }
        guard let changes, !changes.set.isEmpty else { return nil }
        return report.update(value, changes, step)
    }

    override func failed(_ error: StoreError) -> Change { report.error(error) }

    override func renew() { value = move(value, instance) ?? value }
}

extension ElementsTracker.Report where Change == RealmCollectionChange<Value> {
    /// A report of the positions.
    static var positions: Self {
        Self(
            initial: { .initial($0) },
            update: { value, changes, _ in
                let set = changes.set
                return .update(
                    value, deletions: set.deletions, insertions: set.insertions,
                    modifications: set.modifications)
            },
            error: { .error(Realm.Error($0)) })
    }
}

extension VersionChanges {
    /// Whether any object was deleted.
    var deletesObjects: Bool { classes.values.contains { !$0.deleted.isEmpty } }
}

extension RealmCollection {
    /// Returns a factory of the trackers that find the changes.
    public func _tracking(_ keyPaths: [String]?) -> _ChangeTracking<Self> {
        _ChangeTracking(tracking(keyPaths, .positions))
    }

    func tracking<Change>(
        _ keyPaths: [String]?, _ report: ElementsTracker<Self, Change>.Report
    ) -> TrackerMaker<Self, Change> {
        let paths = _core?.observed(keyPaths) ?? .own
        return { source, there, _ in
            ElementsTracker(
                source, in: there, observing: paths, core: { $0._core },
                move: { value, instance in
                    value._core.map { Self._make($0.moved(to: instance)) }
                }, report: report)
        }
    }
}
