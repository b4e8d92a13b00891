import FirnValues

/// A run of units in the file; everything except the superblock is stored in extents.
package struct Extent: Hashable, Sendable {
    /// The unit of space in the file, in bytes.
    ///
    /// It is one sector, so that writing an extent never rewrites a sector with durable bytes of
    /// another.
    package static let unitByteCount = 512
    /// The largest file in bytes; offsets below 2^47 fit any signed file offset.
    package static let maximumFileByteCount: UInt64 = 1 << 47

    /// The number of the first unit.
    package let start: UInt64
    /// The number of units, at least 1.
    package let length: UInt64

    package init(start: UInt64, length: UInt64) {
        self.start = start
        self.length = length
    }

    /// The number of the unit after the last.
    package var end: UInt64 { start + length }
    package var byteOffset: UInt64 { start * UInt64(Extent.unitByteCount) }
    package var byteCount: UInt64 { length * UInt64(Extent.unitByteCount) }

    /// Returns the extent with additional units at its end.
    func extended(by units: UInt64) -> Extent { Extent(start: start, length: length + units) }

    /// Returns the number of units that hold a number of bytes.
    static func units(forBytes count: Int) -> UInt64 {
        (UInt64(count) + UInt64(unitByteCount) - 1) / UInt64(unitByteCount)
    }
}
