import FirnValues

/// An ordered set of row ids with positions: each row has a position, and each position a row.
///
/// The ids are divided into parts of 65,536. A part is a list of 16-bit numbers if it has few
/// members, and a bitmap otherwise. A member therefore takes at most two bytes, and about one bit
/// in dense parts.
struct CountedRows {
    private static let bitsPerPart: UInt64 = 16

    /// The upper bits of the ids of each part, ascending.
    private var numbers: [UInt64] = []
    private var parts: [CountedRowsPart] = []
    private var sums = PartialSums()

    init() {}

    /// - Parameter rows: ascending row ids.
    init(_ rows: [RowID]) {
        for row in rows {
            let (number, low) = Self.split(row)
            if numbers.last != number {
                numbers.append(number)
                parts.append(CountedRowsPart())
            }
            parts[parts.count - 1].append(low)
        }
        sums = PartialSums(parts.map(\.count))
    }

    var count: Int { sums.total }

    private static func split(_ row: RowID) -> (number: UInt64, low: UInt16) {
        (row.rawValue >> bitsPerPart, UInt16(truncatingIfNeeded: row.rawValue))
    }

    /// Returns the index of the part with a number, or the index at which to insert it.
    private func index(of number: UInt64) -> (index: Int, isThere: Bool) {
        let index = numbers.partitioningIndex { $0 >= number }
        return (index, index < numbers.count && numbers[index] == number)
    }

    func contains(_ row: RowID) -> Bool {
        let (number, low) = Self.split(row)
        let (index, isThere) = index(of: number)
        return isThere && parts[index].contains(low)
    }

    /// Returns the number of members before a row, which need not be a member.
    ///
    /// - Complexity: O(log n)
    func count(before row: RowID) -> Int {
        let (number, low) = Self.split(row)
        let (index, isThere) = index(of: number)
        return sums.sum(before: index) + (isThere ? parts[index].count(before: low) : 0)
    }

    /// Inserts a row.
    ///
    /// - Returns: whether it was not a member before.
    mutating func insert(_ row: RowID) -> Bool {
        let (number, low) = Self.split(row)
        let (index, isThere) = index(of: number)
        if !isThere {
            numbers.insert(number, at: index)
            parts.insert(CountedRowsPart(), at: index)
            // Ids increase over time, so a new part is nearly always the last.
            if index + 1 == parts.count {
                sums.append(0)
            } else {
                sums = PartialSums(parts.map(\.count))
            }
        }
        guard parts[index].insert(low) else { return false }
        sums.add(1, at: index)
        return true
    }

    /// Removes a row.
    ///
    /// - Returns: whether it was a member.
    mutating func remove(_ row: RowID) -> Bool {
        let (number, low) = Self.split(row)
        let (index, isThere) = index(of: number)
        guard isThere, parts[index].remove(low) else { return false }
        sums.add(-1, at: index)
        return true
    }

    /// Returns the members at a range of positions.
    ///
    /// - Complexity: O(log n + length of the range)
    func rows(_ range: Range<Int>) -> [RowID] {
        var rows: [RowID] = []
        guard !range.isEmpty else { return rows }
        rows.reserveCapacity(range.count)
        var (index, offset) = sums.part(of: range.lowerBound)
        while rows.count < range.count {
            let part = parts[index]
            let end = min(part.count, offset + range.count - rows.count)
            part.forEach(in: offset..<end) { low in
                rows.append(RowID(numbers[index] << Self.bitsPerPart | UInt64(low)))
            }
            index += 1
            offset = 0
        }
        return rows
    }
}
