/// The number of a durable root; every flip of the superblock makes the next one.
///
/// Not the version that users see (that is the ``LSN``): one root may hold many commits.
package struct RootVersion: Hashable, Comparable, Sendable {
    package let rawValue: UInt64

    package init(_ rawValue: UInt64) { self.rawValue = rawValue }

    package static func < (left: RootVersion, right: RootVersion) -> Bool {
        left.rawValue < right.rawValue
    }

    /// The highest version that a byte lock can stand for; see ``LockMap``.
    static let maximum = RootVersion((1 << 59) - 1)
}
