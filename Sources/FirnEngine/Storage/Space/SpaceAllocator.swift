/// Hands out extents to one transaction; the only place that knows which ones may be overwritten.
///
/// An extent that came into use with root B and went out of use with root F was used by the roots B
/// to F - 1. It may be written over when none of them is a retained root.
struct SpaceAllocator {
    /// Free for use now.
    private var usable = ExtentSet()
    /// UnsafeTransfer out here, and in use.
    private var newborn = ExtentSet()
    /// Given up before, and needed by some retained root.
    private let held: [FreeSpace.Range]
    /// Given up here.
    private var freed: [(extent: Extent, isBookkeeping: Bool)] = []
    /// In use before, and younger than some retained root.
    private let young: [FreeSpace.AllocatedSince]
    /// Where the next search begins, so that the small holes at the beginning of a file are not
    /// looked at again and again.
    private var cursor: UInt64 = 0
    /// The unit behind the last used one; the file grows here.
    private(set) var endUnit: UInt64
    /// The root that the allocations are for.
    let building: RootVersion
    /// The roots whose objects may be read.
    let retained: RetainedRoots

    /// - Parameters:
    ///   - retained: the roots whose objects may be read.
    ///   - bookkeeping: those among them that may also be opened as the current one.
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

    /// How many bytes may be written over.
    var usableByteCount: UInt64 { usable.unitCount * UInt64(Extent.unitByteCount) }

    /// Space for so many bytes, in one piece.
    ///
    /// - Returns: `nil` if the file would grow past its largest size.
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

    /// The space for so many bytes that is nearest to the beginning of the file.
    ///
    /// - Parameter limit: the unit before which it must end.
    /// - Returns: `nil` if there is no such space; the file never grows.
    mutating func allocateLowest(bytes: Int, below limit: UInt64) -> Extent? {
        let length = max(1, Extent.units(forBytes: bytes))
        guard let found = usable.first(ofLength: length), found.start + length <= limit else {
            return nil
        }
        return take(Extent(start: found.start, length: length))
    }

    /// What may be written over now, ascending.
    var usableExtents: [Extent] { usable.extents }

    /// Lets the file end before the usable space at its end.
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

    /// Gives up an extent; one that was handed out here can be handed out again at once.
    ///
    /// - Parameter isBookkeeping: whether only who opens the root as the current one needs it.
    mutating func free(_ extent: Extent, isBookkeeping: Bool = false) {
        if newborn.remove(extent) {
            usable.insert(extent)
        } else {
            freed.append((extent, isBookkeeping))
        }
    }

    /// Gives up an extent that was allocated here and that no root has seen.
    mutating func giveBack(_ extent: Extent) { free(extent) }

    /// The free space of the root that is built.
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
