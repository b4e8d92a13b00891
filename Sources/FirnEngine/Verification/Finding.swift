package import FirnValues

/// One thing that is not as it must be in a database file.
package struct Finding: Hashable, Sendable {
    /// What kind of rule is broken.
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
        /// An index that does not agree with the objects, a link to no object, an embedded object
        /// without its one parent.
        case index
        /// Something of the versions before the newest.
        case history
    }

    package let kind: Kind
    /// What is wrong and where, in a sentence without a final stop.
    package let message: String
}

/// What a verification looked at and found.
package struct VerificationReport: Sendable {
    package var findings: [Finding] = []
    /// What a power loss may leave of a whole database, and the next write mends.
    package var notes: [Finding] = []
    package var version = LSN.zero
    package var classCount = 0
    package var objectCount = 0
    package var rowGroupCount = 0
    package var pageCount = 0
    /// Row groups that were looked into: all of them, unless a sample was asked for.
    package var checkedGroupCount = 0
    /// The roots of older versions that are kept, and the commits between the versions.
    package var keptRootCount = 0
    package var keptCommitCount: UInt64 = 0
    /// Bytes behind the end that the superblock names; harmless.
    package var trailingByteCount: UInt64 = 0
}
