/// The number of a durable root, incremented by every change of the superblock.
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
