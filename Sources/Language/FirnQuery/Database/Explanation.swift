import FirnCodec
import FirnEngine
import FirnSyntax
import FirnValues

/// The plan of a query as lines of text, with the verdict of the zone maps before any page is read.
struct Explanation {
    let execution: Execution

    func lines() throws(StoreError) -> [String] {
        let plan = execution.plan
        var lines: [String]
        if let lookup = execution.lookup {
            lines = lookupLines(lookup)
        } else if let order = execution.order {
            let schema = execution.query.classSchema
            let way =
                if case .distinct? = plan.steps.first { "value by value from" } else {
                    "in the order of"
                }
            lines = [
                "read \(schema.name) \(way) index \(schema.name(of: order.index)): "
                    + CountText.of(UInt64(order.rows.count), "row")
            ]
        } else if try execution.extremes() != nil {
            lines = ["read the extremes of \(execution.query.classSchema.name) from indexes"]
        } else if let access = execution.access {
            lines = accessLines(access)
        } else {
            lines = try scanLines()
        }
        lines += try ways(PlanColumns(plan, of: execution.query.classSchema))
        var isFirst =
            execution.lookup == nil && execution.access == nil
            && execution.order == nil
        for (index, step) in plan.steps.enumerated()
        where index >= execution.order?.stepCount ?? 0 {
            lines.append(
                selectionText(of: step, at: index)
                    ?? Explanation.text(
                        of: step, isFirst: isFirst && !(index == 0 && keepsMost(step)),
                        readsRowsTwice: plan.readsRowsTwice(at: index)))
            isFirst = false
            // Rows of groups are scanned like those of a table.
            if case .group = step { isFirst = true }
            if case .window = step { isFirst = true }
        }
        lines.append(Explanation.text(of: plan.output))
        lines.append("observed: \(maintenance)")
        return lines
    }

    /// Describes how a live result is maintained.
    private var maintenance: String {
        do {
            return try LiveMaintenance(ofResultOf: execution.query).description
        } catch {
            return "not possible: \(error.message)"
        }
    }

    private func lookupLines(_ lookup: KeyLookup) -> [String] {
        let name = execution.query.classSchema.name
        var lines = [
            "look up \(name) by \(lookup.name): "
                + CountText.of(UInt64(lookup.values.count), "value") + ", "
                + CountText.of(UInt64(execution.foundCount), "object")
        ]
        if execution.plan.afterLookup != .always(true) {
            lines.append("  where \(execution.plan.afterLookup)")
        }
        return lines
    }

    private func accessLines(_ access: AccessPath) -> [String] {
        let schema = execution.query.classSchema
        var lines: [String] = []
        for step in access.steps {
            lines.append(
                "look up \(schema.name) in index \(schema.name(of: step.lookup.index)): "
                    + CountText.of(UInt64(step.lookup.ranges.count), "range") + ", "
                    + CountText.of(UInt64(step.entryCount), "entry"))
        }
        if let narrowing = access.narrowing {
            lines.append(
                "  that are in index \(schema.name(of: narrowing.lookup.index)), too: "
                    + CountText.of(UInt64(narrowing.entryCount), "entry"))
        }
        if access.rest != .always(true) { lines.append("  where \(access.rest)") }
        return lines
    }

    private func scanLines() throws(StoreError) -> [String] {
        let plan = execution.plan
        let scanner = execution.scanner
        let evaluator = PredicateEvaluator(plan.scan, scanner, execution.reader)
        var skipped = 0
        var whole = 0
        for group in scanner.groups.indices {
            switch try evaluator.verdict(of: group) {
            case .none: skipped += 1
            case .all: whole += 1
            case .some: break
            }
        }
        let groups = scanner.groups.count
        var lines = [
            "scan \(execution.query.classSchema.name): "
                + CountText.of(UInt64(scanner.rowCount), "row") + " in "
                + CountText.of(UInt64(groups), "row group")
        ]
        if let count = execution.partitionCount {
            lines.append("  in \(count) parts, on as many cores as there are")
        }
        if plan.scan != .always(true) {
            lines.append("  where \(plan.scan)")
            lines.append(
                "  zone maps skip \(CountText.of(UInt64(skipped), "row group")), "
                    + "pass \(CountText.grouped(UInt64(whole))) whole, "
                    + "leave \(CountText.grouped(UInt64(groups - skipped - whole))) to read")
        }
        return lines + indexLines()
    }

    /// The minimum number of objects for which a lookup in an index is noticeably faster than a
    /// scan.
    private static let indexedObjectCountMin = 10_000

    /// Describes which index would be used, or why none is.
    private func indexLines() -> [String] {
        let schema = execution.query.classSchema
        if let unused = execution.unused {
            let names = unused.steps.map { schema.name(of: $0.lookup.index) }
            return [
                "  not by index \(names.joined(separator: ", ")): it has "
                    + CountText.of(UInt64(unused.entryCount), "entry")
                    + " to look up, and a scan is faster"
            ]
        }
        guard execution.scanner.rowCount >= Explanation.indexedObjectCountMin,
            let index = IndexLookup.missing(for: execution.plan.conditions, of: schema)
        else { return [] }
        let (owner, property) = (
            schema.name, index.properties.first.flatMap { schema[$0]?.name } ?? ""
        )
        let mark = index.options.contains(.caseInsensitive) ? "[c]" : ""
        return ["  an index would find them: firn alter FILE 'index \(owner).\(property)\(mark)'"]
    }

    /// Describes how other objects and elements are reached.
    private func ways(_ columns: PlanColumns) throws(StoreError) -> [String] {
        try columns.lookups.map { join throws(StoreError) in
            let text = "\(join.target.name) as \(join.name): \(join.conditionText)"
            let reader = execution.reader
            guard let byIndex = try IndexJoin(join, reader.classes, reader.joins) else {
                return "  hash join \(text)"
            }
            return "  join \(text), by \(byIndex.objects.name), a hash join from "
                + CountText.of(UInt64(byIndex.rowCountMax + 1), "row") + " on"
        }
            + columns.joins.map { "  semi-join \($0), decided once" }
            + columns.elements.map { "  elements of \($0), filtered on encoded pages" }
            + columns.backlinks.map { "  link index of \($0)" }
    }

    /// Describes a sort that searches for the requested rows of a whole class; `nil` for others.
    private func selectionText(of step: QueryPlan.Step, at index: Int) -> String? {
        let (plan, rowCount) = (execution.plan, execution.scanner.rowCount)
        guard index == 0, case .sort(let keys, let limit) = step, plan.scan == .always(true)
        else { return nil }
        var skipped = 0
        if plan.steps.count > 1, case .skip(let count) = plan.steps[1] { skipped = count }
        let positions = SortSelection.positions(
            skipping: skipped, limit: limit ?? .max, of: rowCount)
        guard SortSelection.isWorthwhile(for: positions, of: rowCount), !positions.isEmpty
        else { return nil }
        return "sort by \(Explanation.text(of: keys)), only rows \(positions.lowerBound + 1) to "
            + "\(positions.upperBound), which are found by counting"
    }

    /// Returns whether a step sorts all rows of a class, because most of them are kept.
    private func keepsMost(_ step: QueryPlan.Step) -> Bool {
        guard case .sort(let keys, let limit?) = step else { return false }
        return SortStream.keepsMost(limit, of: execution.scanner.rowCount, by: keys)
    }

    private static func text(of keys: [BoundSortKey]) -> String {
        keys.map { $0.expression.planName + ($0.descending ? " DESC" : " ASC") }
            .joined(separator: ", ")
    }

    private static func text(
        of step: QueryPlan.Step, isFirst: Bool, readsRowsTwice: Bool
    ) -> String {
        switch step {
        case .filter(let predicate): return "filter \(predicate)"
        case .sort(let keys, let limit):
            let list = text(of: keys)
            guard let limit else { return "sort by \(list)" }
            // Only a scan can read row groups in any order.
            return "sort by \(list), keeping the first \(limit)"
                + (isFirst ? ", best row groups first" : "")
        case .distinct(let keys):
            return "distinct by \(keys.map(\.planName).joined(separator: ", "))"
        case .limit(let count): return "limit \(count)"
        case .limitEach(let count, let keys):
            return "limit \(count) by \(keys.map(\.planName).joined(separator: ", "))"
        case .window(let columns):
            return "compute \(columns.map(\.name).joined(separator: ", ")) of all rows"
        case .unnest(let unnest):
            let named = unnest.columns.prefix(unnest.namedCount)
            let texts = named.filter { $0.content != .position }.map(\.text)
            return "one row for each of \(texts.joined(separator: ", "))"
        case .filterAmong(let columns, let predicate):
            let condition = BoundText(outputs: columns).text(predicate)
            return "filter \(condition) among all rows"
                + (readsRowsTwice ? ", which are read twice" : "")
        case .skip(let count): return "skip \(count)"
        case .last: return "last row"
        case .group(let keys, let items):
            let names = items.map(\.name).joined(separator: ", ")
            return "group by \(keys.map(\.name).joined(separator: ", ")) into \(names)"
        }
    }

    private static func text(of output: QueryPlan.Output) -> String {
        switch output {
        case .columns(let projections):
            "output \(projections.map(\.name).joined(separator: ", "))"
        case .aggregates(let aggregates):
            "aggregate \(aggregates.map(\.name).joined(separator: ", "))"
        case .count: "count rows"
        case .pivot(let pivot, let columns):
            "turn \(pivot.name) into columns of "
                + pivot.cells.map { columns[$0.column].name }.joined(separator: ", ")
        case .chart(let chart, _): chart.planText
        case .exists: "stop at the first row"
        }
    }
}

/// Delivers the plan of a query, one line per row.
final class ExplanationRows: ResultRows {
    let isPlan = true
    let columns = [ResultColumn(name: "plan", type: PropertyType(.string), display: nil)]
    let statistics: QueryStatistics
    private var lines: [String]?

    init(_ execution: Execution) throws(StoreError) {
        lines = try Explanation(execution: execution).lines()
        statistics = execution.statistics
    }

    func next() throws(QueryFailure) -> ResultBatch? {
        guard let lines else { return nil }
        self.lines = nil
        var vector = ColumnVector(kind: .string)
        for line in lines { vector.append(.string(line)) }
        return ResultBatch(rowCount: lines.count, vectors: [vector])
    }
}

extension BoundExpression {
    /// The name of the expression in a plan; for a column, its plain name.
    var planName: String {
        switch self {
        case .column(let column): column.name
        case .path(let path), .mapped(let path): path.name
        case .reduction(let reduction, let path): "\(path.name).\(reduction.rawValue)"
        default: "an expression"
        }
    }
}
