import FirnCodec
import FirnEngine
import FirnValues

/// Finds the first row of each combination of values in the rows of a scan.
///
/// Each thread has combinations of its own, with the first row that it has read of them. A row becomes
/// a mark as soon as its combination is complete, or when the combinations of all threads are known:
///
///     rows  ----->  combinations, in a hash table
///                        |  no other row has the key
///                        v
///                   marks, one bit per row
struct FirstRowSearch: UnorderedScanConsumer {
    /// The number of combinations from which complete ones become marks, unless there is less memory.
    private static let openCountMax = 32_768
    /// The memory of a statement for each of these combinations.
    private static let byteCountPerCombination = 8_192

    private let keys: [BoundExpression]
    private let evaluator: ExpressionEvaluator
    private var combinations: Grouping
    /// The clusters of the rows by a key; `nil` if there are none.
    private let clusters: KeyClusters?
    /// The row groups of the current partition.
    private var partition = 0..<0
    private var latest = 0
    /// The number of combinations at which complete ones are searched next.
    private var nextCount: Int
    private let openCountMax: Int
    private var marks = RowMarks()

    /// - Parameters:
    ///   - memory: the memory for the combinations.
    ///   - openCountMax: the number of combinations from which complete ones become marks.
    init(
        _ keys: [BoundExpression], _ clusters: KeyClusters?, _ evaluator: ExpressionEvaluator,
        memory: RowMemory, openCountMax: Int? = nil
    ) {
        self.keys = keys
        self.clusters = clusters
        self.evaluator = evaluator
        combinations = Grouping(
            keys: keys, items: [], evaluator, memory: memory, numbersRows: true)
        let byteCount = evaluator.reader.snapshot.statementByteCount
        self.openCountMax =
            openCountMax ?? min(Self.openCountMax, byteCount / Self.byteCountPerCombination)
        nextCount = self.openCountMax
    }

    /// The number of combinations that are not complete.
    var openCount: Int { combinations.groupCount }

    mutating func begin(_ groups: Range<Int>) {
        // In the next partition, they would look like those that earlier rows may have.
        markComplete(before: partition.upperBound)
        partition = groups
        latest = groups.lowerBound
    }

    var isGivenUp: Bool { combinations.isGivenUp }

    mutating func add(_ batch: RowBatch) throws(StoreError) {
        guard case .run(let run) = batch else { return }
        if run.group != latest {
            latest = run.group
            if openCount >= nextCount { markComplete(before: run.group) }
        }
        let firsts = try evaluator.firstOccurrences(of: keys, in: run)
        try combinations.add(
            firsts.map { .run(RowRun(group: run.group, selection: .listed($0))) } ?? batch)
    }

    /// Marks the first rows of combinations that neither rows before this partition have, nor those
    /// of a row group and later ones.
    private mutating func markComplete(before group: Int) {
        guard let clusters, openCount > 0 else { return }
        var codes: [UInt64] = []
        SortCode.append(combinations.keyValues[clusters.key], to: &codes)
        var kept: [UInt32] = []
        for (number, code) in codes.enumerated() {
            if clusters.mayPrecede(partition.lowerBound, code) || clusters.mayFollow(group, code) {
                kept.append(UInt32(truncatingIfNeeded: number))
            }
        }
        // Keeping most combinations would cost more than it saves.
        guard kept.count <= codes.count / 2 else {
            nextCount = max(openCountMax, 2 * codes.count)
            return
        }
        var next = kept[...]
        for number in codes.indices {
            if next.first.map({ Int($0) }) == number {
                next.removeFirst()
            } else {
                marks.mark(combinations.firstRows.ints[number], source: evaluator.source)
            }
        }
        combinations.keep(kept)
        nextCount = max(openCountMax, 2 * kept.count)
    }

    mutating func merge(_ later: FirstRowSearch) throws(StoreError) {
        try combinations.merge(later.combinations)
        marks.formUnion(later.marks)
    }

    /// Returns the marks of all first rows, after the last one.
    consuming func found() -> RowMarks {
        for number in combinations.firstRows.ints { marks.mark(number, source: evaluator.source) }
        return marks
    }
}
