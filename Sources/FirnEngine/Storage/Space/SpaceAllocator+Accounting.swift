/// Who keeps how much of the space that the root being built does not use.
extension SpaceAllocator {
    /// Bytes that only roots of a group keep, by the greatest of them that does.
    ///
    /// Were the roots of the group given up in ascending order, these are the bytes that each of them
    /// sets free.
    ///
    /// - Parameters:
    ///   - group: the roots in question.
    ///   - others: all other roots that are retained.
    func heldByteCounts(
        by group: RetainedRoots, besides others: RetainedRoots
    ) -> [RootVersion: UInt64] {
        freeSpace().heldByteCounts(by: group, besides: others)
    }
}

extension FreeSpace {
    /// Bytes that only roots of a group keep, by the greatest of them that does.
    ///
    /// - Complexity: O(ranges · log roots)
    func heldByteCounts(
        by group: RetainedRoots, besides others: RetainedRoots
    ) -> [RootVersion: UInt64] {
        var counts: [RootVersion: UInt64] = [:]
        for range in ranges where !range.isFree && !range.isBookkeeping {
            guard let keeper = group.last(before: range.freedAt), keeper >= range.bornAt,
                !others.meets(born: range.bornAt, freed: range.freedAt)
            else { continue }
            counts[keeper, default: 0] += range.extent.byteCount
        }
        return counts
    }

    /// Bytes that each root of a group keeps alone.
    ///
    /// - Complexity: O(ranges · log roots)
    func soleByteCounts(
        of group: RetainedRoots, besides others: RetainedRoots
    ) -> [RootVersion: UInt64] {
        var counts: [RootVersion: UInt64] = [:]
        for range in ranges where !range.isFree && !range.isBookkeeping {
            guard let keeper = group.last(before: range.freedAt), keeper >= range.bornAt,
                !others.meets(born: range.bornAt, freed: range.freedAt)
            else { continue }
            if let other = group.last(before: keeper), other >= range.bornAt { continue }
            counts[keeper, default: 0] += range.extent.byteCount
        }
        return counts
    }

    /// Bytes that would be free if the roots of a group were not kept.
    func heldByteCount(by group: RetainedRoots, besides others: RetainedRoots) -> UInt64 {
        heldByteCounts(by: group, besides: others).values.reduce(0, +)
    }

    /// Bytes that may be written over at once.
    func freeByteCount(_ retained: RetainedRoots, bookkeeping: RetainedRoots) -> UInt64 {
        ranges.reduce(0) { sum, range in
            let roots = range.isBookkeeping ? bookkeeping : retained
            let isNeeded = roots.need(born: range.bornAt, freed: range.freedAt)
            return isNeeded ? sum : sum + range.extent.byteCount
        }
    }

    /// Bytes of all ranges.
    var byteCount: UInt64 { ranges.reduce(0) { $0 + $1.extent.byteCount } }
}
