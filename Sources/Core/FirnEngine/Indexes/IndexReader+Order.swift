import FirnCodec
import FirnPlatform
package import FirnValues

/// Reading the rows of an index in the order of their values.
extension IndexReader {
    /// Returns some rows of a range in the order of their values; rows with the same value ascend.
    ///
    /// - Parameters:
    ///   - descending: Whether the greatest value is the first.
    ///   - skipped: The number of rows of the range to leave out.
    ///   - limit: The most rows to return.
    /// - Returns: `nil` if the index does not know the order, because texts were cut.
    /// - Complexity: O(log entries + rows); O(log² entries + rows) while the overlay has changes
    package func orderedRows(
        of range: IndexRange = .all, descending: Bool, skipping skipped: Int, limit: Int
    ) throws(StoreError) -> [RowID]? {
        var rows: [RowID] = []
        var isCut = false
        let (before, count) = (
            try self.count(in: IndexRange(lower: [], upper: range.lower)),
            try self.count(in: range)
        )
        let limit = min(limit, count - min(skipped, count))
        guard limit > 0 else { return rows }
        func add(_ key: UnsafeRawBufferPointer) throws(StoreError) -> Bool {
            guard let row = IndexKey.row(of: key) else { throw notAnEntry }
            isCut = isCut || IndexKey.isCut(key)
            rows.append(row)
            return !isCut && rows.count < limit
        }
        if descending {
            try addDescending(skipping: self.count - before - count + skipped, add)
        } else {
            let start = try start(before: before + skipped)
            try forEachEntry(of: try span(of: start.range), skipping: start.skipped, add)
        }
        return isCut ? nil : rows
    }

    /// Returns the first row of each value of an index of one property, ascending; nil counts as a
    /// value.
    ///
    /// - Parameter limit: The maximum number of values.
    /// - Returns: `nil` if there are more, or if texts were cut.
    /// - Complexity: O(values * log entries)
    package func firstRows(limit: Int) throws(StoreError) -> [RowID]? {
        var rows: [RowID] = []
        var next: [UInt8]? = []
        while let lower = next {
            var key: [UInt8] = []
            let rest = try span(of: IndexRange(lower: lower, upper: nil))
            try forEachEntry(of: rest, skipping: 0) { entry in
                key = Array(entry)
                return false
            }
            guard !key.isEmpty else { break }
            let found = key.withUnsafeBytes {
                (row: IndexKey.row(of: $0), isCut: IndexKey.isCut($0))
            }
            guard let row = found.row else { throw notAnEntry }
            guard !found.isCut, rows.count < limit else { return nil }
            rows.append(row)
            next = TreeKey.successor(ofPrefix: Array(key.dropLast(IndexKey.rowByteCount)))
        }
        return rows.sorted()
    }

    /// Returns a row whose value of the last property of the index is the least or the greatest
    /// that is not nil.
    ///
    /// - Parameters:
    ///   - range: The entries among which it is.
    ///   - mayBeNil: Whether the range has all values after the same values of other properties, so
    ///     that it begins with those that are nil.
    /// - Returns: `nil` if texts were cut; no row if there is no such value.
    /// - Complexity: O(log entries); O(log² entries) while the overlay has changes
    package func extremeRow(
        of range: IndexRange, isGreatest: Bool, mayBeNil: Bool
    ) throws(StoreError) -> [RowID]? {
        let nilCount = mayBeNil ? try count(in: IndexRange(prefix: range.lower + [0])) : 0
        guard try count(in: range) > nilCount else { return [] }
        return try orderedRows(
            of: range, descending: isGreatest, skipping: isGreatest ? 0 : nilCount, limit: 1)
    }

    /// Passes entries, from the greatest value down, to a closure that returns whether to continue.
    ///
    /// - Parameter skipped: The number of entries to leave out, less than ``count``.
    private func addDescending(
        skipping skipped: Int, _ add: (UnsafeRawBufferPointer) throws(StoreError) -> Bool
    ) throws(StoreError) {
        // The value in which the first row is; all rows of greater values are left out.
        let start = try start(before: count - 1 - skipped)
        var first: [UInt8] = []
        try forEachEntry(of: try span(of: start.range), skipping: start.skipped) { key in
            first = Array(key)
            return false
        }
        var value = IndexRange(prefix: Array(first.dropLast(IndexKey.rowByteCount)))
        var toSkip = skipped - (count - (try count(in: IndexRange(lower: [], upper: value.upper))))
        while try forEachEntry(of: try span(of: value), skipping: max(0, toSkip), add),
            let key = try lastKey(before: value.lower)
        {
            value = IndexRange(prefix: Array(key.dropLast(IndexKey.rowByteCount)))
            toSkip = 0
        }
    }

    /// Returns a range that begins with, or a little before, the entry at a position.
    ///
    /// - Returns: The range, and the number of its entries before the one at the position.
    private func start(
        before position: Int
    ) throws(StoreError) -> (range: IndexRange, skipped: Int) {
        guard hasChanges else { return (.all, position) }
        // The last entry of the tree that is not after the position, by the number before it.
        var (low, high) = (UInt64(0), rankCount)
        var start: (key: [UInt8], before: Int) = ([], 0)
        while low < high {
            let middle = low + (high - low) / 2
            let key = try entry(at: middle)
            let before = try count(in: IndexRange(lower: [], upper: key))
            if before <= position {
                start = (key, before)
                low = middle + 1
            } else {
                high = middle
            }
        }
        return (IndexRange(lower: start.key, upper: nil), position - start.before)
    }
}

extension Table {
    /// Returns the position of an object among all objects in the order of an index of single values.
    ///
    /// Objects with the same values are in the order of their row ids.
    ///
    /// - Parameter descending: Whether the greatest value is the first.
    /// - Returns: `nil` if there is no such object, or if the index does not know its order, because
    ///   its text was cut.
    /// - Complexity: O(log entries)
    package func position(
        of row: RowID, in index: IndexSchema, descending: Bool
    ) throws(StoreError) -> Int? {
        guard let reader = try reader(of: index), let (view, position) = try locate(row) else {
            return nil
        }
        var key: [UInt8] = []
        let rows = [UInt32(truncatingIfNeeded: position)]
        try IndexEncoder(index, of: schema).forEachEntry(of: view, rows: rows) { _, entry in
            key = Array(entry)
        }
        guard !key.isEmpty, !key.withUnsafeBytes({ IndexKey.isCut($0) }) else { return nil }
        let before = try reader.count(in: IndexRange(lower: [], upper: key))
        guard descending else { return before }
        let value = IndexRange(prefix: Array(key.dropLast(IndexKey.rowByteCount)))
        let less = try reader.count(in: IndexRange(lower: [], upper: value.lower))
        let greater = reader.count - less - (try reader.count(in: value))
        return greater + before - less
    }
}

extension IndexKey {
    /// Whether a text of an entry may have been cut.
    ///
    /// It may be true for other long entries with the same bytes.
    static func isCut(_ key: UnsafeRawBufferPointer) -> Bool {
        let end = key.count - rowByteCount
        guard end > textByteCountMaximum else { return false }
        return (1..<end).contains { key[$0 - 1] == 0 && key[$0] == cutMark }
    }
}
