import FirnQuery

/// The positions that are told are those of the objects.
extension ProjectedCollection: ChangeObservable {
    /// What is told.
    public typealias ObservedChange = RealmCollectionChange<Self>
    /// Key paths name properties of the objects, by texts only.
    public typealias ObservedElement = Never

    /// How changes are found.
    public func _tracking(_ keyPaths: [String]?) -> _ChangeTracking<Self> {
        let paths = elements.core?.observed(keyPaths ?? elements.origins) ?? .own
        return _ChangeTracking { source, there, _ in
            ElementsTracker(
                source, in: there, observing: paths, core: { $0.elements.core },
                place: { value, instance in value._moved(to: Realm(instance)) }, report: .positions)
        }
    }
}
