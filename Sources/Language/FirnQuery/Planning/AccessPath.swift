import FirnCodec
import FirnEngine
import FirnValues

/// The way in which an execution finds the objects of its class.
///
///     conditions            access path
///     key == 3, @id IN ..   key lookup
///     an index has few      index lookup: ranges of one index, or those of the operands of an OR
///     two have not many     the rows that are in the ranges of both
///     anything else         scan
struct AccessPath {
    /// The ranges of one index, with their entries.
    struct Step {
        let lookup: IndexLookup
        let reader: IndexReader
        let spans: [IndexSpan]

        var entryCount: Int { spans.reduce(0) { AccessPath.sum($0, $1.count) } }

        /// The conditions that every row of the entries satisfies, by their position.
        fileprivate var implied: Set<Int> { lookup.isExact ? lookup.used : [] }

        /// Returns the rows of all entries, which may be in any order.
        fileprivate func rows() throws(StoreError) -> [RowID] {
            var rows: [RowID] = []
            for span in spans { rows += try reader.rows(of: span) }
            return rows
        }
    }

    /// The index lookups whose rows together include all rows that pass.
    let steps: [Step]
    /// Another lookup whose rows also include all rows that pass.
    var narrowing: Step?
    /// The condition that the rows must also satisfy.
    var rest: BoundPredicate

    /// The number of rows up to which a lookup is always worthwhile.
    private static let rowCountMin = 16
    /// The number of objects that a scan reads in the time that a lookup takes for one row.
    private static let objectsPerRow = 64
    /// The number of entries that are read in the time that one row takes; it decides whether
    /// another index narrows the lookup.
    private static let entriesPerRow = 16

    var entryCount: Int { steps.reduce(0) { AccessPath.sum($0, $1.entryCount) } }

    /// Returns a sum of counts, which can be arbitrary numbers in a crafted file.
    private static func sum(_ left: Int, _ right: Int) -> Int {
        let (sum, overflow) = left.addingReportingOverflow(right)
        return overflow ? .max : sum
    }

    /// Whether each entry is one object that passes, so that counting entries counts objects.
    var isCountable: Bool {
        rest == .always(true) && steps.count == 1 && narrowing == nil
            && steps.allSatisfy { $0.lookup.isExact && $0.lookup.isDistinct }
    }

    func isWorthwhile(objectCount: Int) -> Bool {
        entryCount <= max(Self.rowCountMin, objectCount / Self.objectsPerRow)
    }

    /// Returns the index lookup with the fewest entries; `nil` if no index has the conditions.
    static func best(
        for conditions: [BoundPredicate], of table: Table
    ) throws(StoreError) -> AccessPath? {
        guard !table.schema.indexes.isEmpty else { return nil }
        var best = try single(for: conditions, of: table)
        for case .or(let operands) in conditions {
            guard let union = try union(of: operands, table, conditions),
                union.entryCount < best?.entryCount ?? .max
            else { continue }
            best = union
        }
        return best
    }

    /// Returns the lookup in one index with the fewest entries.
    private static func single(
        for conditions: [BoundPredicate], of table: Table
    ) throws(StoreError) -> AccessPath? {
        var steps: [Step] = []
        for index in table.schema.indexes {
            guard let lookup = IndexLookup(index, of: table.schema, conditions),
                lookup.ranges.count <= max(rowCountMin, table.liveRowCount / objectsPerRow),
                let reader = try table.reader(of: index)
            else { continue }
            let spans = try lookup.ranges.map { range throws(StoreError) in
                try reader.span(of: range)
            }
            steps.append(Step(lookup: lookup, reader: reader, spans: spans))
        }
        guard let best = steps.min(by: { $0.entryCount < $1.entryCount }) else { return nil }
        var implied = best.implied
        let narrowing = steps.filter {
            !$0.implied.isSubset(of: implied)
                && $0.entryCount / entriesPerRow < best.entryCount - rowCountMin
        }.min { $0.entryCount < $1.entryCount }
        implied.formUnion(narrowing?.implied ?? [])
        let rest = conditions.indices.filter { !implied.contains($0) }
        return AccessPath(
            steps: [best], narrowing: narrowing,
            rest: QueryPlan.conjunction(rest.map { conditions[$0] }))
    }

    /// Returns the lookups of all operands of an OR; `nil` if one of them has none.
    private static func union(
        of operands: [BoundPredicate], _ table: Table, _ conditions: [BoundPredicate]
    ) throws(StoreError) -> AccessPath? {
        var steps: [Step] = []
        for operand in operands {
            let parts = if case .and(let parts) = operand { parts } else { [operand] }
            guard let path = try single(for: parts, of: table) else { return nil }
            steps += path.steps
        }
        return AccessPath(steps: steps, rest: QueryPlan.conjunction(conditions))
    }

    /// Returns the rows of all entries, ascending and without duplicates.
    ///
    /// - Parameter limit: The number of rows that are enough, at least 1. More may be returned.
    func rows(limit: Int? = nil) throws(StoreError) -> [RowID] {
        if let limit, let step = steps.first, let span = step.spans.first, steps.count == 1,
            step.spans.count == 1, step.lookup.looksForValues, narrowing == nil
        {
            // The entries of one value ascend.
            return try step.reader.rows(of: span, limit: limit)
        }
        var rows: [RowID] = []
        for step in steps { rows += try step.rows() }
        if let narrowing {
            let others = Set(try narrowing.rows())
            rows.removeAll { !others.contains($0) }
        }
        // The rows of one value ascend already.
        if zip(rows, rows.dropFirst()).allSatisfy({ $0 < $1 }) { return rows }
        rows.sort()
        var distinct: [RowID] = []
        distinct.reserveCapacity(rows.count)
        for row in rows where row != distinct.last { distinct.append(row) }
        return distinct
    }
}
