import FirnEngine
import FirnValues

/// Sorts a range of rows by one key at a time.
///
/// The codes of a key are compared as plain integers. Only rows with equal values are sorted by the
/// next key.
struct RangeSort {
    private let view: SortView
    private let entries: SortView.Entries
    private var cancellation: CancellationCheck

    /// - Parameter entries: the rows; rows with equal codes are in the order of arrival.
    init(_ view: SortView, _ entries: SortView.Entries, _ cancellation: CancellationCheck) {
        self.view = view
        self.entries = entries
        self.cancellation = cancellation
    }

    /// Whether the query was cancelled, which leaves the rows unsorted.
    var isCancelled: Bool { cancellation.isOver }

    /// Sorts a range of rows that are equal in all levels before a given one.
    mutating func sort(_ range: Range<Int>, from level: SortLevel) {
        var level = level
        var ties = range.count > 1 ? [range] : []
        while level.column < view.keys.count {
            var next: [Range<Int>] = []
            for tie in ties { sort(tie, by: level, &next) }
            ties = next
            level = SortLevel(column: level.column + 1)
        }
        // Equal entries are in the order of arrival.
        guard !view.tiesByArrival else { return }
        for tie in ties {
            var tied = SortView.Entries(rebasing: entries[tie])
            tied.sort { view.references[Int($0.index)] < view.references[Int($1.index)] }
        }
    }

    /// Sorts rows by one key, and collects the ranges of rows that are equal in it.
    private mutating func sort(
        _ range: Range<Int>, by level: SortLevel, _ ties: inout [Range<Int>]
    ) {
        var undecided: [(Range<Int>, SortLevel)] = []
        sortCodes(range, level, &ties, &undecided)
        while let (range, level) = undecided.popLast() {
            sortCodes(range, level, &ties, &undecided)
        }
    }

    /// Sorts rows by the codes of a level.
    ///
    /// - Parameter undecided: receives the ranges of rows that a later level of the same key decides.
    private mutating func sortCodes(
        _ range: Range<Int>, _ level: SortLevel, _ ties: inout [Range<Int>],
        _ undecided: inout [(Range<Int>, SortLevel)]
    ) {
        guard !cancellation.isOver(after: range.count) else { return }
        let part = SortView.Entries(rebasing: entries[range])
        view.load(level, into: part)
        SortEntry.sort(part, &cancellation)
        var start = range.lowerBound
        while start < range.upperBound {
            var end = start + 1
            while end < range.upperBound, entries[end].code == entries[start].code { end += 1 }
            if end - start > 1 {
                let next = view.next(after: level, code: entries[start].code)
                if let next, next.column > level.column {
                    ties.append(start..<end)
                } else if let next {
                    undecided.append((start..<end, next))
                } else {
                    sortByValue(start..<end, level.column, &ties)
                }
            }
            start = end
        }
    }

    /// Sorts rows with the same codes by their values.
    private mutating func sortByValue(
        _ range: Range<Int>, _ column: Int, _ ties: inout [Range<Int>]
    ) {
        guard !cancellation.isOver(after: range.count) else { return }
        let key = view.keys[column]
        guard !key.hasTexts else { return sortByBytes(range, key, &ties) }
        var part = SortView.Entries(rebasing: entries[range])
        part.sort { left, right in
            guard !cancellation.isOver(after: 1) else { return false }
            let order = view.valueOrder(column, left.index, right.index)
            return order == .equal
                ? left.index < right.index : (order == .less) != key.isDescending
        }
        SortEntry.collectTies(range, &ties) { start, end in
            view.valueOrder(column, entries[start].index, entries[end].index) == .equal
        }
    }

    /// Sorts rows with the same codes by their values, for kinds that are ordered by their bytes.
    ///
    /// The bytes are first copied into one buffer, so that a comparison does not look for them.
    private mutating func sortByBytes(
        _ range: Range<Int>, _ key: SortView.Key, _ ties: inout [Range<Int>]
    ) {
        var texts = SortTexts(capacity: range.count)
        for position in range {
            let index = entries[position].index
            texts.append(index, view.text(key, Int(index)))
        }
        texts.sort(isDescending: key.isDescending, &cancellation)
        let code = entries[range.lowerBound].code
        for (offset, index) in texts.indices.enumerated() {
            entries[range.lowerBound + offset] = SortEntry(code: code, index: index)
        }
        SortEntry.collectTies(range, &ties) { start, end in
            texts.isEqual(start - range.lowerBound, end - range.lowerBound)
        }
    }
}
