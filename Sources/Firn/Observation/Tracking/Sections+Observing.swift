extension SectionedResults: ChangeObservable {
    /// The type of the changes that the block receives.
    public typealias ObservedChange = SectionedResultsChange<Self>
    /// The type whose properties key paths name.
    public typealias ObservedElement = SectionElement

    /// Returns a factory of the trackers that find the changes.
    public func _tracking(_ keyPaths: [String]?) -> _ChangeTracking<Self> {
        let paths = core.results.core.observed(keyPaths)
        return _ChangeTracking { source, there, _ in
            SectionsTracker(source.core, nil, in: there, observing: paths) {
                SectionedResults($0)
            }
        }
    }
}

/// A section is observed at any position, and even if it does not exist.
extension ResultsSection: ChangeObservable {
    /// The type of the changes that the block receives.
    public typealias ObservedChange = SectionedResultsChange<Self>
    /// The type whose properties key paths name.
    public typealias ObservedElement = SectionElement

    /// Returns a factory of the trackers that find the changes.
    public func _tracking(_ keyPaths: [String]?) -> _ChangeTracking<Self> {
        let paths = core.results.core.observed(keyPaths)
        return _ChangeTracking { source, there, _ in
            let key = source.key
            return SectionsTracker(source.core, key, in: there, observing: paths) {
                ResultsSection($0, key)
            }
        }
    }
}
