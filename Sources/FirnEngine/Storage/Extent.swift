/// A run of units in the file; everything that is not the superblock lies in extents.
package struct Extent: Hashable, Sendable {
    /// The granularity of space in the file, in bytes: one sector, so that writing an extent never
    /// rewrites a sector that holds durable bytes of another.
    package static let unitByteCount = 512
    /// Offsets stay below 2^47, far inside of what a signed file offset can say.
    package static let maximumFileByteCount: UInt64 = 1 << 47

    /// The number of the first unit.
    package let start: UInt64
    /// How many units, at least 1.
    package let length: UInt64

    package init(start: UInt64, length: UInt64) {
        self.start = start
        self.length = length
    }

    /// The number of the unit behind the last.
    package var end: UInt64 { start + length }
    package var byteOffset: UInt64 { start * UInt64(Extent.unitByteCount) }
    package var byteCount: UInt64 { length * UInt64(Extent.unitByteCount) }

    /// The extent with so many more units behind it.
    func extended(by units: UInt64) -> Extent { Extent(start: start, length: length + units) }

    /// How many units so many bytes take.
    static func units(forBytes count: Int) -> UInt64 {
        (UInt64(count) + UInt64(unitByteCount) - 1) / UInt64(unitByteCount)
    }
}
