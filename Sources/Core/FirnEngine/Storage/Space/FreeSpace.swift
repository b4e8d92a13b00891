import FirnValues

/// The space that a root does not use, and the allocation versions of some of the space that it
/// uses.
///
/// Space is older than every readable root unless it is listed as younger. A file that was loaded
/// once therefore stores no allocation versions, however large it is.
struct FreeSpace: Hashable, Sendable {
    /// Space that the root does not use.
    struct Range: Hashable, Sendable {
        let extent: Extent
        /// The first root that used the extent; 0 if it is older than all readable roots.
        let bornAt: RootVersion
        /// The first root that no longer uses the extent; 0 if it is free for use.
        let freedAt: RootVersion
        /// Whether only readers that open the root as the current one need the extent.
        ///
        /// Such extents hold the free space and the history themselves, which roots that are kept
        /// for their objects do not need.
        let isBookkeeping: Bool

        init(
            extent: Extent, bornAt: RootVersion = RootVersion(0), freedAt: RootVersion,
            isBookkeeping: Bool = false
        ) {
            self.extent = extent
            self.bornAt = bornAt
            self.freedAt = freedAt
            self.isBookkeeping = isBookkeeping
        }

        var isFree: Bool { freedAt == RootVersion(0) }

        /// Whether the same roots need both ranges.
        func isSame(as other: Range) -> Bool {
            bornAt == other.bornAt && freedAt == other.freedAt
                && isBookkeeping == other.isBookkeeping
        }
    }

    /// Space that the root uses and that was allocated after some readable root, called young
    /// below.
    struct AllocatedSince: Hashable, Sendable {
        let extent: Extent
        let bornAt: RootVersion
    }

    /// Ascending, without overlap.
    var ranges: [Range] = []
    /// Ascending, without overlap with each other and with ``ranges``.
    var young: [AllocatedSince] = []

    /// Whether all ranges are within the file and no space is listed twice.
    ///
    /// Only crafted metadata that references one page from two places can violate this.
    func isConsistent(endUnit: UInt64) -> Bool {
        var end = UInt64(Superblock.headerByteCount / Extent.unitByteCount)
        var index = 0
        for range in ranges {
            while index < young.count, young[index].extent.start < range.extent.start {
                guard young[index].extent.start >= end else { return false }
                end = young[index].extent.end
                index += 1
            }
            guard range.extent.start >= end else { return false }
            end = range.extent.end
        }
        for young in young[index...] {
            guard young.extent.start >= end else { return false }
            end = young.extent.end
        }
        return end <= endUnit
    }

    /// Returns the free space without distinctions that matter only to unreadable roots.
    func simplified(
        _ retained: RetainedRoots, bookkeeping: RetainedRoots
    ) -> FreeSpace {
        var simple = FreeSpace()
        for range in ranges {
            let roots = range.isBookkeeping ? bookkeeping : retained
            let born = roots.floor(range.bornAt)
            let freed = roots.floor(range.freedAt)
            simple.append(
                born == freed
                    ? Range(extent: range.extent, freedAt: RootVersion(0))
                    : Range(
                        extent: range.extent, bornAt: born, freedAt: freed,
                        isBookkeeping: range.isBookkeeping))
        }
        for young in young {
            let born = retained.floor(young.bornAt)
            if born > RootVersion(0) {
                simple.append(AllocatedSince(extent: young.extent, bornAt: born))
            }
        }
        return simple
    }

    /// Adds a range after the last.
    mutating func append(_ range: Range) {
        if let last = ranges.last, last.extent.end == range.extent.start, last.isSame(as: range) {
            ranges[ranges.count - 1] = Range(
                extent: last.extent.extended(by: range.extent.length), bornAt: last.bornAt,
                freedAt: last.freedAt, isBookkeeping: last.isBookkeeping)
        } else {
            ranges.append(range)
        }
    }

    /// Adds young space after the last.
    mutating func append(_ next: AllocatedSince) {
        if let last = young.last, last.extent.end == next.extent.start, last.bornAt == next.bornAt {
            young[young.count - 1] = AllocatedSince(
                extent: last.extent.extended(by: next.extent.length), bornAt: last.bornAt)
        } else {
            young.append(next)
        }
    }
}
