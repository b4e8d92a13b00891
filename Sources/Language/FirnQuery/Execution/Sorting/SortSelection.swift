import FirnCodec
import FirnEngine
import FirnValues

/// A search for the rows at some positions of an order, which does not sort any other rows.
///
/// The rows are counted by ranges of the codes of their first key. Then only the rows in the ranges
/// with the positions are read again and sorted. Ranges with too many rows are divided further, and
/// rows with one value of a key by the next key:
///
///     positions 3,000,000 to 3,000,004 of 6,000,000
///     codes      | 0 ... 2,999,800 rows | 900 rows | ... 2,999,300 rows |
///                                          sorted
///
/// This is bucket selection (T. Alabi et al., Fast k-Selection Algorithms for Graphics Processing
/// Units, 2012).
///
/// Rows that come before or after the positions according to zone maps alone are not read.
///
/// - Complexity: a few scans of a key, and a sort of about the rows at the positions.
struct SortSelection {
    /// Rows in ranges of the keys.
    struct Found {
        fileprivate(set) var ranges: [KeyRange] = []
        fileprivate(set) var rowCount = 0
        /// The number of rows that come before these rows.
        fileprivate(set) var countBefore = 0
        /// Whether all of them are equal, so that they are in the order of the table.
        fileprivate(set) var areEqual = false
    }

    /// The numbers of rows that determine the method of the search.
    struct Thresholds {
        /// The end of the positions up to which a search for the first rows is faster.
        var firstRowCount = 65_536
        /// The number of rows besides those at the positions, up to which ranges are not divided
        /// further.
        var otherRowCount = 65_536
        /// The number of rows that are sorted in memory.
        var collectedRowCount = 1 << 20
    }

    /// The share of all rows that may be at the positions, as a divisor.
    private static let shareMin = 4

    private let predicate: BoundPredicate
    private let scanner: TableScanner
    private let evaluator: ExpressionEvaluator
    private let keys: [BoundSortKey]
    private let thresholds: Thresholds
    /// The number of threads that worked on the last scan.
    private(set) var usedThreadCount = 1

    /// Returns `nil` if other threads could not scan the same rows.
    init?(
        _ scan: ScanStream, by keys: [BoundSortKey], _ evaluator: ExpressionEvaluator,
        _ thresholds: Thresholds
    ) {
        guard let predicate = scan.divisible, let scanner = scan.source.scanner
        else { return nil }
        self.predicate = predicate
        self.scanner = scanner
        self.evaluator = evaluator
        self.keys = keys
        self.thresholds = thresholds
    }

    /// Returns whether a search for positions is faster than a sort of all rows.
    static func isWorthwhile(
        for positions: Range<Int>, of rowCount: Int, _ thresholds: Thresholds = Thresholds()
    ) -> Bool {
        positions.upperBound > thresholds.firstRowCount && positions.count <= rowCount / shareMin
    }

    /// Returns the positions of requested rows.
    ///
    /// - Parameter limit: the number of sorted rows after which the result ends.
    static func positions(skipping count: Int, limit: Int, of rowCount: Int) -> Range<Int> {
        let end = min(limit, rowCount)
        return min(count, end)..<end
    }

    /// Whether the scan delivers all rows.
    var isUnconditional: Bool { predicate == .always(true) }

    var rowCount: Int { scanner.rowCount }

    /// Returns ranges of the first keys with the rows at some positions; `nil` if there are no such
    /// rows.
    mutating func find(_ positions: Range<Int>) throws(StoreError) -> Found? {
        var found = Found()
        for key in keys {
            let start = positions.lowerBound - found.countBefore
            guard
                let range = try find(start..<start + positions.count, by: key, among: found.ranges)
            else { return nil }
            found.ranges.append(KeyRange(key: key, codes: range.codes))
            found.rowCount = range.rowCount
            found.countBefore += range.countBefore
            guard hasTooMany(range, for: positions), found.ranges.last?.isOneValue == true
            else { return found }
        }
        found.areEqual = true
        return found
    }

    /// Returns a range of codes of a key with the rows at some positions of other ranges.
    private mutating func find(
        _ positions: Range<Int>, by key: BoundSortKey, among ranges: [KeyRange]
    ) throws(StoreError) -> CodeCounts.Range? {
        var range = KeyRange(key: key, codes: try allCodes(of: key))
        if isUnconditional, ranges.isEmpty {
            let known = try ZoneBounds(of: key, in: scanner).codes(at: positions)
            // Ranges are narrow in the part with the codes of most rows.
            range = KeyRange(
                key: key,
                codes: known.overlaps(range.codes) ? known.clamped(to: range.codes) : known)
        }
        while true {
            let counts = try consume { [range] in CodeCounts(range, among: ranges, $0) }
            guard let found = counts.range(of: positions) else { return nil }
            if !hasTooMany(found, for: positions) || found.codes == range.codes { return found }
            range = KeyRange(key: key, codes: found.codes)
        }
    }

    private func hasTooMany(_ range: CodeCounts.Range, for positions: Range<Int>) -> Bool {
        range.rowCount - positions.count > thresholds.otherRowCount
    }

    /// Returns a range with the codes of most rows.
    private func allCodes(of key: BoundSortKey) throws(StoreError) -> ClosedRange<UInt64> {
        var all: ClosedRange<UInt64>?
        for group in scanner.groups.indices {
            guard let column = key.expression.column,
                let zone = try scanner.zone(column, of: group),
                let minimum = zone.minimum.flatMap({ SortCode.code(of: $0) }),
                let maximum = zone.maximum.flatMap({ SortCode.code(of: $0) }), minimum <= maximum
            else { continue }
            let least = min(minimum, all?.lowerBound ?? minimum)
            all = least...max(maximum, all?.upperBound ?? maximum)
        }
        guard let all else { return 0 ... .max }
        return key.descending ? ~all.upperBound ... ~all.lowerBound : all
    }

    /// Returns the rows that were found, to be sorted; `nil` if they take too much memory.
    mutating func rows(_ found: Found) throws(StoreError) -> SortRows? {
        guard found.rowCount <= thresholds.collectedRowCount else { return nil }
        let memory = RowMemory(of: evaluator.reader.snapshot.statementByteCount)
        let collected = try consume { [keys] evaluator in
            let rows = SortRows(
                keys: keys, tiesByArrival: true, isStopped: evaluator.reader.isStopped)
            return RowsInKeyRanges(found.ranges, rows, evaluator, memory: memory)
        }
        return memory.isExceeded ? nil : collected.rows
    }

    /// Returns the rows that were found, in the order of the table.
    func stream(_ found: Found) -> any RowStream {
        KeyRangeStream(scan(), found.ranges, evaluator)
    }

    private func scan() -> ScanStream {
        ScanStream(
            PredicateEvaluator(predicate, scanner, evaluator.reader), divisible: predicate)
    }

    /// Scans all rows, on several threads if there are enough rows.
    private mutating func consume<Consumer: ScanConsumer>(
        _ make: @escaping @Sendable (ExpressionEvaluator) -> Consumer
    ) throws(StoreError) -> Consumer {
        let (result, threadCount) = try scan().consumed(evaluator, make)
        usedThreadCount = threadCount
        return result
    }
}
