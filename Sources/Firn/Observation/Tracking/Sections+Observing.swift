extension SectionedResults: ChangeObservable {
    /// What is told.
    public typealias ObservedChange = SectionedResultsChange<Self>
    /// Whose properties key paths name.
    public typealias ObservedElement = SectionElement

    /// How changes are found.
    public func _tracking(_ keyPaths: [String]?) -> _ChangeTracking<Self> {
        let paths = core.results.core.observed(keyPaths)
        return _ChangeTracking { source, there, _ in
            SectionsTracker(source.core, nil, in: there, observing: paths) {
                SectionedResults($0)
            }
        }
    }
}

/// One section is observed whichever position it has, and whether it is there or not.
extension ResultsSection: ChangeObservable {
    /// What is told.
    public typealias ObservedChange = SectionedResultsChange<Self>
    /// Whose properties key paths name.
    public typealias ObservedElement = SectionElement

    /// How changes are found.
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
