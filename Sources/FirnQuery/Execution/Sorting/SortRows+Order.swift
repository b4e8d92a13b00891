import FirnCodec
import FirnEngine
import FirnValues

/// Sorts the rows by one key at a time.
///
/// The codes of a key are compared as plain integers. Only rows with equal values are sorted by the
/// next key.
extension SortRows {
    private typealias Entries = UnsafeMutableBufferPointer<SortEntry>

    /// Returns the indices of the rows in order.
    ///
    /// - Throws: `cancelled` if the query was cancelled.
    func order(path: String) throws(StoreError) -> [UInt32] {
        progress?.begin(rowCount: count)
        defer { progress?.end() }
        var cancellation = CancellationCheck(progress, isStopped)
        var entries = (0..<UInt32(truncatingIfNeeded: count)).map { SortEntry(code: 0, index: $0) }
        entries.withUnsafeMutableBufferPointer { entries in
            var ties = entries.isEmpty ? [] : [entries.indices]
            for column in columns.indices {
                var next: [Range<Int>] = []
                for range in ties { sort(entries, range, by: column, &next, &cancellation) }
                ties = next
            }
            // Equal entries are in the order of arrival.
            guard !tiesByArrival else { return }
            for range in ties {
                var tied = Entries(rebasing: entries[range])
                tied.sort {
                    references[Int($0.index)] < references[Int($1.index)]
                }
            }
        }
        guard !cancellation.isOver else {
            throw StoreError(.cancelled, path: path, detail: "the query was given up")
        }
        return entries.map(\.index)
    }

    /// Sorts rows by one key, and collects the ranges of rows that are equal in it.
    private func sort(
        _ entries: Entries, _ range: Range<Int>, by column: Int, _ ties: inout [Range<Int>],
        _ cancellation: inout CancellationCheck
    ) {
        guard !cancellation.isOver(after: range.count) else { return }
        columns[column].codes.withUnsafeBufferPointer { codes in
            for position in range {
                entries[position].code = codes[Int(entries[position].index)]
            }
        }
        SortEntry.sort(Entries(rebasing: entries[range]), &cancellation)
        var start = range.lowerBound
        while start < range.upperBound {
            var end = start + 1
            while end < range.upperBound, entries[end].code == entries[start].code { end += 1 }
            if end - start > 1 {
                if columns[column].isExact(entries[start].code) {
                    ties.append(start..<end)
                } else {
                    sortByValue(entries, start..<end, column, &ties, &cancellation)
                }
            }
            start = end
        }
    }

    /// Sorts rows with the same code by their values.
    private func sortByValue(
        _ entries: Entries, _ range: Range<Int>, _ column: Int, _ ties: inout [Range<Int>],
        _ cancellation: inout CancellationCheck
    ) {
        guard !cancellation.isOver(after: range.count) else { return }
        guard !columns[column].kind.isOrderedByBytes else {
            return sortByBytes(entries, range, column, &ties, &cancellation)
        }
        let isDescending = columns[column].key.descending
        var part = Entries(rebasing: entries[range])
        part.sort { left, right in
            guard !cancellation.isOver(after: 1) else { return false }
            let order = valueOrder(column, left.index, right.index)
            return order == .equal
                ? left.index < right.index : (order == .less) != isDescending
        }
        SortEntry.collectTies(range, &ties) { start, end in
            valueOrder(column, entries[start].index, entries[end].index) == .equal
        }
    }

    /// Sorts rows with the same code by their values, for kinds that are ordered by their bytes.
    ///
    /// The bytes are first copied into one buffer, so that a comparison does not look for them.
    private func sortByBytes(
        _ entries: Entries, _ range: Range<Int>, _ column: Int, _ ties: inout [Range<Int>],
        _ cancellation: inout CancellationCheck
    ) {
        var texts = SortTexts(capacity: range.count)
        for position in range {
            let index = entries[position].index
            texts.append(index, text(column, Int(index)))
        }
        texts.sort(isDescending: columns[column].key.descending, &cancellation)
        let code = entries[range.lowerBound].code
        for (offset, index) in texts.indices.enumerated() {
            entries[range.lowerBound + offset] = SortEntry(code: code, index: index)
        }
        SortEntry.collectTies(range, &ties) { start, end in
            texts.isEqual(start - range.lowerBound, end - range.lowerBound)
        }
    }

    private func valueOrder(_ column: Int, _ left: UInt32, _ right: UInt32) -> Ordering {
        value(column, Int(left)).order(relativeTo: value(column, Int(right)))
    }
}
