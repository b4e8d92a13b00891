import FirnValues

/// Accounting of the space that the root being built does not use.
extension SpaceAllocator {
    /// Returns the bytes that only roots of a group keep, grouped by the greatest root that keeps
    /// them.
    ///
    /// If the roots of the group are dropped in ascending order, each of them frees these bytes.
    ///
    /// - Parameters:
    ///   - group: The roots in question.
    ///   - others: All other retained roots.
    func heldByteCounts(
        by group: RetainedRoots, besides others: RetainedRoots
    ) -> [RootVersion: UInt64] {
        freeSpace().heldByteCounts(by: group, besides: others)
    }
}

extension FreeSpace {
    /// Returns the bytes that only roots of a group keep, grouped by the greatest root that keeps
    /// them.
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

    /// Returns the bytes that each root of a group keeps alone.
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

    /// Returns the bytes that would be free if the roots of a group were not kept.
    func heldByteCount(by group: RetainedRoots, besides others: RetainedRoots) -> UInt64 {
        heldByteCounts(by: group, besides: others).values.reduce(0, +)
    }

    /// Returns the bytes that may be overwritten at once.
    func freeByteCount(_ retained: RetainedRoots, bookkeeping: RetainedRoots) -> UInt64 {
        ranges.reduce(0) { sum, range in
            let roots = range.isBookkeeping ? bookkeeping : retained
            let isNeeded = roots.need(born: range.bornAt, freed: range.freedAt)
            return isNeeded ? sum : sum + range.extent.byteCount
        }
    }

    /// The size of all ranges in bytes.
    var byteCount: UInt64 { ranges.reduce(0) { $0 + $1.extent.byteCount } }
}
