import FirnValues

/// One commit as the log and the history have it.
struct Frame: Hashable, Sendable {
    enum Kind: Hashable, Sendable {
        /// The payload is operations; see ``RecordedOperations``.
        case operations
        /// The commit wrote pages; only the root with this number has it.
        case root
    }

    var kind: Kind
    var lsn: LSN
    /// What was known to be on disk when the frame was written.
    var durable: LSN
    /// The hash of the commit before.
    var previous: ChainHash
    /// Nanoseconds since 1970.
    var time: Int64
    /// Who committed: a random number per open handle.
    var writer: UInt64
    /// Empty for a frame of kind ``Kind/root``.
    var operations: RecordedOperations
}
