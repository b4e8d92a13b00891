import FirnCodec
import FirnEngine
import FirnValues

/// The bounds of the codes of a sort key in each row group, as far as zone maps tell them.
///
///     row group      0         1         2           4 rows each
///     codes        1 ... 9   8 ... 20  21 ... 30     position 5 has a code of 8 to 20
struct ZoneBounds {
    private struct Group {
        let codes: ClosedRange<UInt64>
        /// The number of rows, deleted ones included.
        let rowCount: Int
        let liveCount: Int
    }

    private let groups: [Group]

    init(of key: BoundSortKey, in source: TableScanner) throws(StoreError) {
        var groups: [Group] = []
        for group in source.groups.indices {
            let rowCount = source.rowCount(of: group)
            groups.append(
                Group(
                    codes: try source.codes(of: key, in: group), rowCount: rowCount,
                    liveCount: try source.groups[group].liveRows()?.population ?? rowCount))
        }
        self.groups = groups
    }

    /// Returns a range of codes that has all rows at some positions of the order.
    ///
    /// - Complexity: O(n log n) for n row groups.
    func codes(at positions: Range<Int>) -> ClosedRange<UInt64> {
        // Only rows of groups that begin before a code can come before it.
        var least: UInt64 = 0
        var countBefore = 0
        for group in groups.sorted(by: { $0.codes.lowerBound < $1.codes.lowerBound }) {
            guard countBefore <= positions.lowerBound else { break }
            least = group.codes.lowerBound
            countBefore += group.rowCount
        }
        // All rows of groups that end at a code or before it have no greater code.
        var greatest = UInt64.max
        var countUntil = 0
        for group in groups.sorted(by: { $0.codes.upperBound < $1.codes.upperBound }) {
            countUntil += group.liveCount
            guard countUntil < positions.upperBound else {
                greatest = group.codes.upperBound
                break
            }
        }
        return least...max(least, greatest)
    }
}
