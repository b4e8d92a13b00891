import FirnValues

/// The allocator of extents for one transaction, which alone decides what may be overwritten.
///
/// An extent that was allocated with root B and freed with root F was used by the roots B to F - 1.
/// It may be overwritten when none of them is a retained root.
struct SpaceAllocator {
    /// The space that is free for use now.
    private var usable = ExtentSet()
    /// The space allocated by this transaction and still in use.
    private var newborn = ExtentSet()
    /// The space freed earlier that some retained root needs.
    private let held: [FreeSpace.Range]
    /// The space freed by this transaction.
    private var freed: [(extent: Extent, isBookkeeping: Bool)] = []
    /// The space in use before this transaction that is younger than some retained root.
    private let young: [FreeSpace.AllocatedSince]
    /// The unit at which the next search begins, so that the small holes at the beginning of a file
    /// are not examined repeatedly.
    private var cursor: UInt64 = 0
    /// The unit after the last used one, where the file grows.
    private(set) var endUnit: UInt64
    /// The root for which space is allocated.
    let building: RootVersion
    /// The roots whose objects may be read.
    let retained: RetainedRoots

    /// - Parameters:
    ///   - retained: The roots whose objects may be read.
    ///   - bookkeeping: The roots among them that may also be opened as the current one.
    init(
        freeSpace: FreeSpace, endUnit: UInt64, building: RootVersion, retained: RetainedRoots,
        bookkeeping: RetainedRoots
    ) {
        self.endUnit = endUnit
        self.building = building
        self.retained = retained
        let simple = freeSpace.simplified(retained, bookkeeping: bookkeeping)
        young = simple.young
        var held: [FreeSpace.Range] = []
        for range in simple.ranges {
            if range.isFree { usable.insert(range.extent) } else { held.append(range) }
        }
        self.held = held
    }

    /// The number of bytes that may be overwritten.
    var usableByteCount: UInt64 { usable.unitCount * UInt64(Extent.unitByteCount) }

    /// Allocates contiguous space for a number of bytes.
    ///
    /// - Returns: `nil` if the file would exceed its largest size.
    mutating func allocate(bytes: Int) -> Extent? {
        let length = max(1, Extent.units(forBytes: bytes))
        if let found = usable.first(ofLength: length, from: cursor)
            ?? usable.first(ofLength: length)
        {
            cursor = found.start
            return take(Extent(start: found.start, length: length))
        }
        let end = endUnit + length
        guard end <= Extent.maximumFileByteCount / UInt64(Extent.unitByteCount) else { return nil }
        let extent = Extent(start: endUnit, length: length)
        endUnit = end
        newborn.insert(extent)
        return extent
    }

    /// Allocates the space for a number of bytes that is nearest to the beginning of the file.
    ///
    /// - Parameter limit: The unit before which the space must end.
    /// - Returns: `nil` if there is no such space; the file never grows.
    mutating func allocateLowest(bytes: Int, below limit: UInt64) -> Extent? {
        let length = max(1, Extent.units(forBytes: bytes))
        guard let found = usable.first(ofLength: length), found.start + length <= limit else {
            return nil
        }
        return take(Extent(start: found.start, length: length))
    }

    /// The extents that may be overwritten now, ascending.
    var usableExtents: [Extent] { usable.extents }

    /// Moves the end of the file before the usable space at its end.
    mutating func dropTail() {
        guard let last = usable.extent(at: endUnit - 1) else { return }
        usable.remove(last)
        endUnit = last.start
    }

    private mutating func take(_ extent: Extent) -> Extent {
        usable.remove(extent)
        newborn.insert(extent)
        return extent
    }

    /// Frees an extent; one that this transaction allocated can be reused at once.
    ///
    /// - Parameter isBookkeeping: Whether only readers that open the root as the current one need
    ///   it.
    mutating func free(_ extent: Extent, isBookkeeping: Bool = false) {
        if newborn.remove(extent) {
            usable.insert(extent)
        } else {
            freed.append((extent, isBookkeeping))
        }
    }

    /// Frees an extent that was allocated here and that no root contains.
    mutating func giveBack(_ extent: Extent) { free(extent) }

    /// Returns the free space of the root being built.
    ///
    /// - Complexity: O(n log n) in the number of ranges
    func freeSpace() -> FreeSpace {
        var freeSpace = FreeSpace()
        let sorted = freed.sorted { $0.extent.start < $1.extent.start }
        var sweep = AllocatedSinceSweep(young)
        var ranges = held + usable.extents.map { .init(extent: $0, freedAt: RootVersion(0)) }
        for (extent, isBookkeeping) in sorted {
            for (part, bornAt) in sweep.parts(of: extent) {
                ranges.append(
                    .init(
                        extent: part, bornAt: bornAt, freedAt: building,
                        isBookkeeping: isBookkeeping))
            }
        }
        for range in ranges.sorted(by: { $0.extent.start < $1.extent.start }) {
            freeSpace.append(range)
        }
        let born = newborn.extents.map { FreeSpace.AllocatedSince(extent: $0, bornAt: building) }
        let rest = born + sweep.finish()
        for young in rest.sorted(by: { $0.extent.start < $1.extent.start }) {
            freeSpace.append(young)
        }
        return freeSpace
    }
}
