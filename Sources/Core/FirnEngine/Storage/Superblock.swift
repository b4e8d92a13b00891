import FirnCodec
import FirnValues

/// The record that references everything else in the file.
///
/// A commit takes effect when this record changes.
///
/// The file begins with four pages of 4,096 bytes. Root version v is written to slot v & 1, and
/// each slot has two copies, so that one bad sector, page or byte never costs a commit:
///
///     0        4,096    8,192    12,288   16,384
///     | slot 0 | slot 1 | slot 0 | slot 1 | extents in units of 512 bytes ...
///     | copy 0 | copy 1 | copy 2 | copy 3 |
///
/// A commit writes both copies of the slot that the current root does not use: the first, a sync,
/// the second. The next commit syncs before it writes to a slot, which is the other one. At most
/// one copy of a slot is therefore in flight at any time, and the other copy of that slot is
/// complete:
///
///     crash                                  slot of R + 1            slot of R      what counts
///     before the first copy is written       R - 1, R - 1             R, R or torn   R
///     while the first copy is written        torn or R + 1, R - 1     R, R           R, or R + 1
///     after its sync                         R + 1, R - 1             R, R           R + 1
///     while the second copy is written       R + 1, torn or R + 1     R, R           R + 1
///     before the next commit's first sync    R + 1, torn or R + 1     R, R           R + 1
///     while a writer that did not commit R   R - 1, R - 1             R, torn or R   R
///       rewrites one copy of it              (the copy that is not whole, after a sync; else the
///                                            second one, with the bytes that it has already)
///
/// A slot without a whole copy is therefore damage, and an error: the newest root may have been
/// there. A torn second copy of the newest root is not damage; the next commit rewrites it.
///
/// A new file has no readers and no name before it is on disk with roots in both slots, so that
/// this holds from the start; ``bothSlotsFeature`` records this. Earlier builds left the slot of
/// root 1 empty until the first commit: while root 0 is the newest of such a file, the other slot
/// may be torn or empty as long as its second copy is zeros, as it was before the first commit.
///
/// Layout of a copy, little-endian; the rest of its page is zero:
///
///       0  magic              89 'F' 'I' 'R' 'N' 0D 0A 1A
///       8  u32 format         1 or 2; see ``FileFormat``
///      12  u32 copy           0 to 3: a copy at another offset is rejected
///      16  u64 compatible     features that any reader and writer may ignore;
///                             1: both slots have had roots since the file got its name
///      24  u64 read-only      features that a reader may ignore, a writer must know;
///                             1: a class has indexes
///      32  u64 incompatible   features that every reader and writer must know
///      40  u64 u64            file id: seeds every checksum in the file
///      56  u32 unit           bytes of a unit, 512
///      60  u32 rows           most rows of a row group
///      64  u64 root version
///      72  u64 log sequence number: the version that users see
///      80  u64 file length    in bytes; a shorter file is damaged
///      88  catalog            reference, 24 bytes (zeros: no class yet)
///     112  free space         reference, 24 bytes (zeros: none)
///     136  u32 state          0: the file holds everything, 1: there is a commit log beside it
///     140  u32 reserved
///     144  u64 log generation of the log beside the file, or of the last one
///     152  u64 checksum of the copy-0-or-1 record of the previous root
///     160  i64 created        seconds since 1970
///     168  history            reference, 24 bytes (zeros: none)
///     192  u64 chain          hash of the commit that `log sequence number` names
///     200  u64 log segment    the one in which the log continued when the root was made
///     208  zeros
///     504  u64 XXH64 of the 504 bytes before, seeded with the copy number
struct Superblock: Hashable, Sendable {
    static let pageByteCount = 4096
    static let recordByteCount = 512
    static let copyCount = 4
    /// The offset of the first extent.
    static let headerByteCount = copyCount * pageByteCount
    static let magic: [UInt8] = [0x89, 0x46, 0x49, 0x52, 0x4E, 0x0D, 0x0A, 0x1A]
    /// The maximum number of rows of a row group that the format allows.
    static let rowsPerGroupMaximum = 65_536
    /// The compatible feature of a file in which both slots have held roots since it got its name.
    static let bothSlotsFeature: UInt64 = 1
    /// The read-only feature of a file in which a class has indexes.
    static let indexFeature: UInt64 = 1

    /// The incompatible feature of a file with a commit that has an ``Annotation``.
    static let annotationFeature: UInt64 = 1
    /// The incompatible features that this build knows.
    static let knownFeatures = annotationFeature

    /// The format of the file when the root was made.
    var format = FileFormat.written
    var fileID: UUID
    var rowsPerGroup: UInt32
    var rootVersion: RootVersion
    var lsn: LSN
    var fileByteCount: UInt64
    var catalog: PageReference?
    var freeSpace: PageReference?
    /// The blob that describes the older versions that can still be read.
    var history: PageReference?
    /// The hash of the newest commit, which the frame of the next commit repeats.
    var chain: ChainHash
    /// Whether a log beside the file holds commits after this root.
    var hasLog = false
    /// The number of the log, incremented with every new log so that an old log is never used.
    var logGeneration: UInt64 = 0
    /// The newest segment when the root was made; a log without this segment or a later one is
    /// incomplete.
    var logSegment: UInt64 = 0
    var previousChecksum: UInt64
    var createdSeconds: Int64
    var compatibleFeatures: UInt64 = 0
    var readOnlyFeatures: UInt64 = 0
    var incompatibleFeatures: UInt64 = 0

    /// The two copies of the slot of this root.
    var copies: [Int] {
        let slot = Int(rootVersion.rawValue & 1)
        return [slot, slot + 2]
    }

    /// Sets or clears a feature that a reader may ignore and a writer must know.
    mutating func setFeature(_ feature: UInt64, _ isUsed: Bool) {
        readOnlyFeatures = readOnlyFeatures & ~feature | (isUsed ? feature : 0)
    }

    /// Returns the offset of a copy in the file.
    static func offset(ofCopy copy: Int) -> UInt64 { UInt64(copy * pageByteCount) }
}

/// The formats of databases that this build knows.
///
/// Format 2 stores the freezes beside the history. Format 1 stores them in the catalog, of which
/// every kept root has a copy.
package enum FileFormat {
    /// The formats that can be read; a file of a newer format is rejected.
    package static let readable: ClosedRange<UInt32> = 1...written
    /// The format of the databases that this build makes.
    ///
    /// The first commit to a database of an older format raises its format.
    package static let written: UInt32 = 2
    /// The format whose catalogs list the freezes.
    static let withFreezesInCatalog: UInt32 = 1
}

/// The number of a durable root, incremented by every change to the superblock.
///
/// It is not the version that users see (the ``LSN``): one root may contain many commits.
package struct RootVersion: Hashable, Comparable, Sendable {
    package let rawValue: UInt64

    package init(_ rawValue: UInt64) { self.rawValue = rawValue }

    package static func < (left: RootVersion, right: RootVersion) -> Bool {
        left.rawValue < right.rawValue
    }

    /// The highest version for which there is a byte lock; see ``LockMap``.
    static let maximum = RootVersion((1 << 59) - 1)
}

/// The hash of a commit, which covers the hash of the previous commit.
///
/// Two histories with the same hash are identical from the first commit on.
package struct ChainHash: Hashable, Sendable {
    package let rawValue: UInt64

    init(_ rawValue: UInt64) { self.rawValue = rawValue }

    /// The value before the first commit.
    package static let origin = ChainHash(0)
}
