/// How a collection changed, as the blocks of `observe` get it.
///
///     switch change {
///     case .initial(let dogs): show(dogs)
///     case .update(let dogs, let deletions, let insertions, let modifications):
///         remove(deletions); insert(insertions, of: dogs); show(modifications)
///     case .error(let error): complain(error)
///     }
///
/// Whoever has the elements in an array removes those at the deletions from the last to the first,
/// and then puts in those at the insertions from the first to the last.
@frozen
public enum RealmCollectionChange<CollectionType> {
    /// The collection as it is when the block is called first.
    case initial(CollectionType)
    /// The collection is another than when the block was called last.
    ///
    /// All positions ascend. An element that moved is among the deletions and the insertions.
    ///
    /// - Parameters:
    ///   - deletions: positions in the collection as it was, of elements that are not there any more.
    ///   - insertions: positions in the collection as it is, of elements that were not there.
    ///   - modifications: positions in the collection as it was, of elements that stay and of which
    ///     something changed that is observed.
    case update(CollectionType, deletions: [Int], insertions: [Int], modifications: [Int])
    /// The database cannot be read any more, or was removed or replaced; the block is not called again.
    case error(any Error)
}
