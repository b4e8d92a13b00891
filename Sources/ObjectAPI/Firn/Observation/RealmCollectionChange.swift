/// A change to a collection, as passed to the blocks of `observe`.
///
///     switch change {
///     case .initial(let dogs): show(dogs)
///     case .update(let dogs, let deletions, let insertions, let modifications):
///         remove(deletions); insert(insertions, of: dogs); show(modifications)
///     case .error(let error): complain(error)
///     }
///
/// To update an array of the elements, remove those at the deletions from last to first. Then
/// insert those at the insertions from first to last.
@frozen
public enum RealmCollectionChange<CollectionType> {
    /// The collection at the first call of the block.
    case initial(CollectionType)
    /// The collection has changed since the previous call of the block.
    ///
    /// All positions are in ascending order. An element that moved appears in both the deletions
    /// and the insertions.
    ///
    /// - Parameters:
    ///   - deletions: The positions, in the previous collection, of elements that were removed.
    ///   - insertions: The positions, in the current collection, of elements that were added.
    ///   - modifications: The positions, in the previous collection, of elements that remain and of
    ///     which an observed property changed.
    case update(CollectionType, deletions: [Int], insertions: [Int], modifications: [Int])
    /// The database became unreadable, or was removed or replaced.
    ///
    /// The block is not called again.
    case error(any Error)
}

extension RealmCollectionChange: Sendable where CollectionType: Sendable {}
