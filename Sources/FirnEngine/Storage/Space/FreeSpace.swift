/// The space of a root besides what it uses, and how old some of what it uses is.
///
/// Space is older than every root that anybody may read unless it is said to be younger: so a file
/// that was loaded once has no births to remember, however large it is.
struct FreeSpace: Hashable, Sendable {
    /// Space that the root does not use.
    struct Range: Hashable, Sendable {
        let extent: Extent
        /// The first root that used the extent; 0: older than all that can be read.
        let bornAt: RootVersion
        /// The first root that does not use it any more; 0: free for use.
        let freedAt: RootVersion
        /// Whether only those needed it for whom the root was the current one.
        ///
        /// That is the free space and the history itself: roots that are kept for their objects do
        /// without.
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

        /// Whether it is needed by the same roots.
        func isSame(as other: Range) -> Bool {
            bornAt == other.bornAt && freedAt == other.freedAt
                && isBookkeeping == other.isBookkeeping
        }
    }

    /// Space that the root uses, and that came into use after some root that can be read.
    struct AllocatedSince: Hashable, Sendable {
        let extent: Extent
        let bornAt: RootVersion
    }

    /// Ascending, without overlap.
    var ranges: [Range] = []
    /// Ascending, without overlap, also with ``ranges``.
    var young: [AllocatedSince] = []

    /// Whether everything lies inside of the file and nothing is named twice.
    ///
    /// Only metadata made on purpose can break this, by leading to one page from two places.
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

    /// Forgets what distinguishes only roots that nobody can read.
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

    /// Adds a range behind the last.
    mutating func append(_ range: Range) {
        if let last = ranges.last, last.extent.end == range.extent.start, last.isSame(as: range) {
            ranges[ranges.count - 1] = Range(
                extent: last.extent.extended(by: range.extent.length), bornAt: last.bornAt,
                freedAt: last.freedAt, isBookkeeping: last.isBookkeeping)
        } else {
            ranges.append(range)
        }
    }

    /// Adds young space behind the last.
    mutating func append(_ next: AllocatedSince) {
        if let last = young.last, last.extent.end == next.extent.start, last.bornAt == next.bornAt {
            young[young.count - 1] = AllocatedSince(
                extent: last.extent.extended(by: next.extent.length), bornAt: last.bornAt)
        } else {
            young.append(next)
        }
    }
}
