public import Foundation

/// How sections changed, as the blocks of `observe` get it.
///
/// An index path is the position of a section and the position in it.
@frozen
public enum SectionedResultsChange<CollectionType> {
    /// The sections as they are when the block is called first.
    case initial(CollectionType)
    /// The sections are others than when the block was called last.
    ///
    /// The elements of a section that came are insertions, too, and those of one that went deletions. A
    /// section that lost its last element is gone.
    ///
    /// - Parameters:
    ///   - deletions: in the sections as they were.
    ///   - insertions: in the sections as they are.
    ///   - modifications: in the sections as they were.
    ///   - sectionsToInsert: positions among the sections as they are.
    ///   - sectionsToDelete: positions among the sections as they were.
    case update(
        CollectionType, deletions: [IndexPath], insertions: [IndexPath],
        modifications: [IndexPath], sectionsToInsert: IndexSet, sectionsToDelete: IndexSet)
}
