import FirnValues
public import Foundation

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

/// A change to sections, as passed to the blocks of `observe`.
///
/// An index path consists of the position of a section and the position within that section.
@frozen
public enum SectionedResultsChange<CollectionType> {
    /// The sections at the first call of the block.
    case initial(CollectionType)
    /// The sections have changed since the previous call of the block.
    ///
    /// The elements of an added section are also insertions, and those of a removed section are
    /// also deletions. A section that loses its last element is removed.
    ///
    /// - Parameters:
    ///   - deletions: The index paths of removed elements in the previous sections.
    ///   - insertions: The index paths of added elements in the current sections.
    ///   - modifications: The index paths of modified elements in the previous sections.
    ///   - sectionsToInsert: The positions of added sections in the current sections.
    ///   - sectionsToDelete: The positions of removed sections in the previous sections.
    case update(
        CollectionType, deletions: [IndexPath], insertions: [IndexPath],
        modifications: [IndexPath], sectionsToInsert: IndexSet, sectionsToDelete: IndexSet)
}

/// The common properties of ``SectionedResults`` and ``ResultsSection``, for generic code.
public protocol RealmSectionedResult: RandomAccessCollection, Equatable, ThreadConfined,
    ChangeObservable
where ObservedChange == SectionedResultsChange<Self> {}

extension SectionedResults: RealmSectionedResult {}
extension ResultsSection: RealmSectionedResult {}
