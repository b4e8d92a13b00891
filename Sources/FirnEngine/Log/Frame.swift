import FirnValues

/// A commit as stored in the log and in the history.
struct Frame: Hashable, Sendable {
    enum Kind: Hashable, Sendable {
        /// The payload is operations; see ``RecordedOperations``.
        case operations
        /// The commit wrote pages, which only the root of this version contains.
        case root
    }

    var kind: Kind
    var lsn: LSN
    /// The newest version known to be on disk when the frame was written.
    var durable: LSN
    /// The hash of the previous commit.
    var previous: ChainHash
    /// Nanoseconds since 1970.
    var time: Int64
    /// The handle that committed: a random number per open handle.
    var writer: UInt64
    /// Empty for a frame of kind ``Kind/root``.
    var operations: RecordedOperations
}
