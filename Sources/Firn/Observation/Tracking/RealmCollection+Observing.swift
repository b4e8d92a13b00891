import FirnQuery

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
                place: { value, instance in
                    value._core.map { Self._make($0.moved(to: instance)) }
                }, report: report)
        }
    }
}
