/// Where the elements of a collection stand.
enum CollectionLimits {
    /// More elements than this stand in the collection tree.
    static let inlineElementCount = 1024
    /// So do elements that take more bytes than this.
    static let inlineByteCount = 256 * 1024
    /// A large collection comes back when it is no longer than this: not at once, so that one at
    /// the limit does not move with every change.
    static let returningElementCount = 512
    /// The most elements of a collection; their numbers are 32 bits wide in memory.
    static let elementCountMaximum = 1 << 30
}
