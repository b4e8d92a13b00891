/// The hash of a commit, which covers that of the commit before it.
///
/// Two histories that have the same hash are the same from the first commit on.
struct ChainHash: Hashable, Sendable {
    let rawValue: UInt64

    init(_ rawValue: UInt64) { self.rawValue = rawValue }

    /// What stands before the first commit.
    static let origin = ChainHash(0)
}
