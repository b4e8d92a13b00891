import FirnCodec
import FirnPlatform
package import FirnValues

/// Reading the rows of an index in the order of their values.
extension IndexReader {
    /// The most values to pass before the first row while the overlay has changes.
    private static let skippedValueCountMax = 1_024

    /// Returns some rows in the order of their values; rows with the same value ascend.
    ///
    /// - Parameters:
    ///   - descending: Whether the greatest value is the first.
    ///   - skipped: The number of rows to leave out.
    ///   - limit: The most rows to return.
    /// - Returns: `nil` if the index does not know the order, because texts were cut, or only after
    ///   many steps.
    /// - Complexity: O(log entries + rows); O(skipped rows) while the overlay has changes
    package func orderedRows(
        descending: Bool, skipping skipped: Int, limit: Int
    ) throws(StoreError) -> [RowID]? {
        var rows: [RowID] = []
        var isCut = false
        func add(_ key: UnsafeRawBufferPointer) throws(StoreError) -> Bool {
            guard let row = IndexKey.row(of: key) else { throw notAnEntry }
            isCut = isCut || IndexKey.isCut(key)
            rows.append(row)
            return !isCut && rows.count < limit
        }
        if limit > 0, !descending {
            try forEachEntry(of: try span(of: .all), skipping: skipped, add)
        } else if limit > 0 {
            guard try addDescending(skipping: skipped, add) else { return nil }
        }
        return isCut ? nil : rows
    }

    /// Passes entries from the greatest value down to a closure.
    ///
    /// - Returns: Whether the first row was found after a few steps.
    private func addDescending(
        skipping skipped: Int, _ add: (UnsafeRawBufferPointer) throws(StoreError) -> Bool
    ) throws(StoreError) -> Bool {
        var toSkip = skipped
        var end: [UInt8]?
        if toSkip > 0, !hasChanges {
            guard toSkip < count else { return true }
            // The value in which the first row is; all rows of greater values are left out.
            let key = try entry(at: UInt64(count - 1 - toSkip))
            let value = IndexRange(prefix: Array(key.dropLast(IndexKey.rowByteCount)))
            end = value.upper
            toSkip -= count - (try self.count(in: IndexRange(lower: [], upper: end)))
        }
        var passed = 0
        var goesOn = true
        while goesOn, let key = try lastKey(before: end) {
            let value = IndexRange(prefix: Array(key.dropLast(IndexKey.rowByteCount)))
            end = value.lower
            let valueCount = toSkip > 0 ? try count(in: value) : 0
            if toSkip > 0, valueCount <= toSkip {
                toSkip -= valueCount
                passed += 1
                guard passed <= IndexReader.skippedValueCountMax else { return false }
                continue
            }
            goesOn = try forEachEntry(of: try span(of: value), skipping: toSkip, add)
            toSkip = 0
        }
        return true
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
