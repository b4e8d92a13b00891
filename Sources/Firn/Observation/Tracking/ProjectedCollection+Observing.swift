import FirnQuery

/// The reported positions are those of the objects.
extension ProjectedCollection: ChangeObservable {
    /// The type of the changes that the block receives.
    public typealias ObservedChange = RealmCollectionChange<Self>
    /// Key paths name properties of the objects, and only as strings.
    public typealias ObservedElement = Never

    /// Returns a factory of the trackers that find the changes.
    public func _tracking(_ keyPaths: [String]?) -> _ChangeTracking<Self> {
        let paths = elements.core?.observed(keyPaths ?? elements.origins) ?? .own
        return _ChangeTracking { source, there, _ in
            ElementsTracker(
                source, in: there, observing: paths, core: { $0.elements.core },
                place: { value, instance in value._moved(to: Realm(instance)) }, report: .positions)
        }
    }
}
