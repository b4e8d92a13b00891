/// Hands out extents to one transaction; the only place that knows which ones may be overwritten.
///
/// An extent that root F freed is still used by the roots before F. While root B is built, it may
/// be overwritten if F <= B - 1 and root B - 1 is known to be on disk, or else if F <= B - 2 (a power
/// loss may then lead back to B - 2), and if no reader pins a root before F. Both are one number, the
/// `horizon`: ranges freed at or before it.
struct SpaceAllocator {
    /// Free for use now; ascending and coalesced.
    private var usable: [Extent] = []
    /// Free in the root that is built, but some older root still needs it.
    private var held: [FreeSpace.Range] = []
    /// Where the next search begins, so that a long list is not walked from its start every time.
    private var cursor = 0
    /// The unit behind the last used one; the file grows here.
    private(set) var endUnit: UInt64
    private let building: RootVersion

    /// - Parameters:
    ///   - building: the root that the allocations are for.
    ///   - horizon: what was freed at or before this root may be overwritten.
    init(
        freeSpace: FreeSpace, endUnit: UInt64, building: RootVersion, horizon: RootVersion
    ) {
        self.endUnit = endUnit
        self.building = building
        for range in freeSpace.ranges {
            if range.freedAt <= horizon {
                insert(range.extent)
            } else {
                held.append(range)
            }
        }
    }

    /// Space for so many bytes, in one piece.
    ///
    /// - Returns: `nil` if the file would grow past its largest size.
    mutating func allocate(bytes: Int) -> Extent? {
        let length = max(1, Extent.units(forBytes: bytes))
        let count = usable.count
        for step in 0..<count {
            let index = (cursor + step) % count
            guard usable[index].length >= length else { continue }
            cursor = index
            let extent = Extent(start: usable[index].start, length: length)
            if usable[index].length == length {
                usable.remove(at: index)
            } else {
                usable[index] = Extent(
                    start: extent.end, length: usable[index].length - length)
            }
            return extent
        }
        let end = endUnit + length
        guard end <= Extent.maximumFileByteCount / UInt64(Extent.unitByteCount) else { return nil }
        defer { endUnit = end }
        return Extent(start: endUnit, length: length)
    }

    /// The space for so many bytes that is nearest to the beginning of the file.
    ///
    /// - Parameter limit: the unit before which it must end.
    /// - Returns: `nil` if there is no such space; the file never grows.
    mutating func allocateLowest(bytes: Int, below limit: UInt64) -> Extent? {
        let length = max(1, Extent.units(forBytes: bytes))
        guard let index = usable.firstIndex(where: { $0.length >= length }),
            usable[index].start + length <= limit
        else { return nil }
        let extent = Extent(start: usable[index].start, length: length)
        if usable[index].length == length {
            usable.remove(at: index)
        } else {
            usable[index] = Extent(start: extent.end, length: usable[index].length - length)
        }
        return extent
    }

    /// What may be written over now, ascending.
    var usableExtents: [Extent] { usable }

    /// How many bytes may be written over.
    var usableByteCount: UInt64 { usable.reduce(0) { $0 + $1.byteCount } }

    /// Lets the file end before the usable space at its end.
    mutating func dropTail() {
        guard let last = usable.last, last.end == endUnit else { return }
        endUnit = last.start
        usable.removeLast()
    }

    /// Gives up an extent of an older root.
    mutating func free(_ extent: Extent) {
        held.append(FreeSpace.Range(extent: extent, freedAt: building))
    }

    /// Gives up an extent that was allocated here and that no root has seen.
    mutating func giveBack(_ extent: Extent) { insert(extent) }

    /// The free space of the root that is built.
    func freeSpace() -> FreeSpace {
        let old = usable.map { FreeSpace.Range(extent: $0, freedAt: RootVersion(0)) }
        return FreeSpace(
            ranges: (old + held).sorted { $0.extent.start < $1.extent.start })
    }

    /// Whether ``freeSpace()`` lies inside of the file and names nothing twice.
    ///
    /// Only metadata made on purpose can break this, by leading to one page from two places.
    static func isConsistent(_ freeSpace: FreeSpace, endUnit: UInt64) -> Bool {
        var end = UInt64(Superblock.headerByteCount / Extent.unitByteCount)
        for range in freeSpace.ranges {
            guard range.extent.start >= end else { return false }
            end = range.extent.end
        }
        return end <= endUnit
    }

    /// How many ranges ``freeSpace()`` has.
    var rangeCount: Int { usable.count + held.count }

    /// Inserts in order and joins with the neighbours.
    private mutating func insert(_ extent: Extent) {
        var low = 0
        var high = usable.count
        while low < high {
            let middle = (low + high) / 2
            if usable[middle].start < extent.start { low = middle + 1 } else { high = middle }
        }
        var merged = extent
        var replaced = low..<low
        if low > 0, usable[low - 1].end == extent.start {
            merged = Extent(
                start: usable[low - 1].start, length: usable[low - 1].length + extent.length)
            replaced = (low - 1)..<low
        }
        if low < usable.count, extent.end == usable[low].start {
            merged = Extent(start: merged.start, length: merged.length + usable[low].length)
            replaced = replaced.lowerBound..<(low + 1)
        }
        usable.replaceSubrange(replaced, with: [merged])
    }
}
