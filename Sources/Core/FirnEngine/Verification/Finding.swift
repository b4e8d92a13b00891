package import FirnValues

/// One violation of a rule in a database file.
package struct Finding: Hashable, Sendable {
    /// The kind of rule that is violated.
    package enum Kind: String, Sendable {
        /// A spare copy of the superblock is damaged; the content is not affected.
        case superblock
        /// Bytes that do not match their checksum, or do not decode.
        case page
        /// Counts, orders or identities that contradict each other.
        case structure
        /// Space that is used twice, or neither used nor free.
        case space
        /// A zone map that does not cover its values.
        case zone
        /// Two objects with one primary key.
        case key
        /// An index that does not match the objects, a link to a nonexistent object, or an embedded
        /// object without exactly one parent.
        case index
        /// A violation in the versions before the newest.
        case history
    }

    package let kind: Kind
    /// The violation and its location, in a sentence without a final period.
    package let message: String
}

/// The scope and the results of a verification.
package struct VerificationReport: Sendable {
    package var findings: [Finding] = []
    /// Traces of a power loss in an intact database, which the next write repairs.
    package var notes: [Finding] = []
    package var version = LSN.zero
    package var classCount = 0
    package var objectCount = 0
    package var rowGroupCount = 0
    package var pageCount = 0
    /// The number of row groups that were checked: all of them, unless a sample was requested.
    package var checkedGroupCount = 0
    /// The numbers of kept roots of older versions, and of kept commits between the versions.
    package var keptRootCount = 0
    package var keptCommitCount: UInt64 = 0
    /// The number of bytes after the end that the superblock records, which are harmless.
    package var trailingByteCount: UInt64 = 0
}
