/// How a map changed, as the blocks of `observe` get it.
@frozen
public enum RealmMapChange<Collection: RealmKeyedCollection> {
    /// The map as it is when the block is called first.
    case initial(Collection)
    /// The map is another than when the block was called last.
    ///
    /// All keys ascend by their bytes.
    ///
    /// - Parameters:
    ///   - deletions: keys that are not there any more.
    ///   - insertions: keys that were not there.
    ///   - modifications: keys that stay, and whose values were set or are objects of which something
    ///     changed that is observed.
    case update(
        Collection, deletions: [Collection.Key], insertions: [Collection.Key],
        modifications: [Collection.Key])
    /// The database cannot be read any more, or was removed or replaced; the block is not called again.
    case error(any Error)
}
