/// The limits that determine where the elements of a collection are stored.
enum CollectionLimits {
    /// The largest number of elements that are stored in the row group instead of the collection
    /// tree.
    static let inlineElementCount = 1024
    /// The largest size in bytes of elements that are stored in the row group.
    static let inlineByteCount = 256 * 1024
    /// The number of elements at which a large collection returns to the row group.
    ///
    /// It is below the upper limit, so that a collection near that limit does not move with every
    /// change.
    static let returningElementCount = 512
    /// The most elements of a collection; their numbers are 32 bits wide in memory.
    static let elementCountMaximum = 1 << 30
}
