/// The hash of a commit, which covers the hash of the previous commit.
///
/// Two histories with the same hash are identical from the first commit on.
struct ChainHash: Hashable, Sendable {
    let rawValue: UInt64

    init(_ rawValue: UInt64) { self.rawValue = rawValue }

    /// The value before the first commit.
    static let origin = ChainHash(0)
}
