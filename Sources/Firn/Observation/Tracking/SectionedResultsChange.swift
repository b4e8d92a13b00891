public import Foundation

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
