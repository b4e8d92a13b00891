/// A change to a map, as passed to the blocks of `observe`.
@frozen
public enum RealmMapChange<Collection: RealmKeyedCollection> {
    /// The map at the first call of the block.
    case initial(Collection)
    /// The map has changed since the previous call of the block.
    ///
    /// All keys are in ascending order of their bytes.
    ///
    /// - Parameters:
    ///   - deletions: The keys that were removed.
    ///   - insertions: The keys that were added.
    ///   - modifications: The keys that remain and whose values were set, or are objects of which
    ///     an observed property changed.
    case update(
        Collection, deletions: [Collection.Key], insertions: [Collection.Key],
        modifications: [Collection.Key])
    /// The database became unreadable, or was removed or replaced.
    ///
    /// The block is not called again.
    case error(any Error)
}
