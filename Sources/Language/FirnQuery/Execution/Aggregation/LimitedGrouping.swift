import FirnCodec
import FirnEngine
import FirnValues

/// Groups rows in tables that may use part of a statement's memory.
///
/// As soon as the tables of all threads have taken it, there are no new groups. Rows of known groups
/// are still added to these, and all other rows are divided by their keys, on disk:
///
///     rows  ----->  has its group?  -- yes ------------------------------>  table
///                                   -- no, but there is memory  --------->  table, a new group
///                                   -- no, and the memory is exceeded  -->  parts on disk
///
/// Results of threads are merged in the order of their rows. As long as there are no rows on disk
/// before them, the groups of a later table can be added to those of an earlier one:
///
///     segment 0    table  |  rows on disk        A group has the values of a segment's table, then
///     segment 1    table  |  rows on disk        those of its rows on disk, then those of the next
///     segment 2    table  |  rows on disk        segment.
///
/// So sums of Doubles, which depend on the order of additions, are the same with any memory.
struct LimitedGrouping: ScanConsumer {
    /// Consecutive rows.
    struct Segment {
        var table: Grouping
        /// The rows after the rows of the table, which may belong to its groups; `nil` if there are
        /// none.
        var divider: RowDivider?
    }

    /// The memory of all threads; `nil` without a limit.
    private let memory: RowMemory?
    private let makeDivider: () -> RowDivider
    /// The segments before the last one; all of them have rows on disk.
    private var earlier: [Segment] = []
    private var last: Segment

    /// - Parameters:
    ///   - memory: the memory that the tables of all threads may take; `nil` without a limit.
    ///   - numbersRows: whether the rows are those of a scan, which have numbers.
    ///   - partCount: the number of parts that rows on disk are divided into, a power of two.
    init(
        keys: [BoundExpression], items: [BoundGroupItem], _ evaluator: ExpressionEvaluator,
        memory: RowMemory?, numbersRows: Bool, to file: SpillFile, partCount: Int
    ) {
        self.memory = memory
        last = Segment(
            table: Grouping(
                keys: keys, items: items, evaluator, memory: memory, numbersRows: numbersRows))
        makeDivider = {
            RowDivider(
                Grouping.expressions(keys, items), keyCount: keys.count, evaluator, to: file,
                numbersRows: numbersRows, partCount: partCount)
        }
    }

    /// The segments in the order of their rows, after the last one.
    var segments: [Segment] { earlier + [last] }

    /// Whether there are rows on disk.
    var isDivided: Bool { !earlier.isEmpty || last.divider != nil }

    /// The groups of the last table.
    var groups: GroupStates { last.table.groups }

    mutating func add(_ batch: RowBatch) throws(StoreError) {
        guard memory?.isExceeded ?? false else { return try last.table.add(batch) }
        if last.divider == nil {
            last.table.freeze()
            last.divider = makeDivider()
        }
        // A later part of a scan has no groups, and need not search them.
        let rest = groups.count == 0 ? batch : try last.table.addKnown(batch)
        if let rest { try last.divider?.add(rest) }
    }

    mutating func finish() throws(StoreError) { try last.divider?.finish() }

    mutating func merge(_ later: LimitedGrouping) throws(StoreError) {
        var rest = later.segments[...]
        if last.divider == nil, let first = rest.popFirst() {
            try last.table.merge(first.table)
            last.divider = first.divider
        }
        guard let newLast = rest.popLast() else { return }
        earlier += [last] + rest
        last = newLast
    }

    /// Removes groups of the last table, and returns them; see ``Grouping/take(_:keeping:)``.
    mutating func take(
        _ taken: [UInt32], keeping kept: [UInt32]
    ) throws(StoreError) -> [ColumnVector] {
        try last.table.take(taken, keeping: kept)
    }

    /// Returns the items of all groups, without rows on disk; see ``Grouping/columns()``.
    func columns() throws(StoreError) -> [ColumnVector] { try last.table.columns() }

    /// Removes all groups of the last table, which must not have rows on disk, and returns their
    /// items.
    mutating func takeAll() throws(StoreError) -> [ColumnVector] {
        let columns = try columns()
        last.table = last.table.emptied
        return columns
    }
}
