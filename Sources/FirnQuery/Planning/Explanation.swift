import FirnCodec
import FirnEngine
import FirnValues

/// The plan of a query as lines of text, with what the zone maps say before any page is read.
struct Explanation {
    let execution: Execution

    func lines() throws(StoreError) -> [String] {
        let plan = execution.plan
        let scanner = execution.scanner
        let evaluator = PredicateEvaluator(predicate: plan.scan, scanner: scanner)
        var skipped = 0
        var whole = 0
        for group in scanner.groups.indices {
            switch try evaluator.verdict(of: group) {
            case .none: skipped += 1
            case .all: whole += 1
            case .some: break
            }
        }
        let rows = scanner.groups.reduce(0) { $0 + $1.rowCount }
        let groups = scanner.groups.count
        var lines = [
            "scan \(execution.query.classSchema.name): \(rows) rows in \(groups) row groups"
        ]
        if plan.scan != .always(true) {
            lines.append("  where \(plan.scan)")
            lines.append(
                "  zone maps skip \(skipped) row groups, pass \(whole) whole, "
                    + "leave \(groups - skipped - whole) to read")
        }
        for (index, step) in plan.steps.enumerated() {
            lines.append(Explanation.text(of: step, isFirst: index == 0))
        }
        lines.append(Explanation.text(of: plan.output))
        return lines
    }

    private static func text(of step: QueryPlan.Step, isFirst: Bool) -> String {
        switch step {
        case .filter(let predicate): return "filter \(predicate)"
        case .sort(let keys, let limit):
            let list = keys.map { $0.column.name + ($0.descending ? " DESC" : " ASC") }
                .joined(separator: ", ")
            guard let limit else { return "sort by \(list)" }
            // Only a scan can begin with any row group.
            return "sort by \(list), keeping the first \(limit)"
                + (isFirst ? ", best row groups first" : "")
        case .distinct(let columns):
            return "distinct by \(columns.map(\.name).joined(separator: ", "))"
        case .limit(let count): return "limit \(count)"
        case .skip(let count): return "skip \(count)"
        case .last: return "last row"
        }
    }

    private static func text(of output: QueryPlan.Output) -> String {
        switch output {
        case .columns(let projections):
            "output \(projections.map(\.name).joined(separator: ", "))"
        case .aggregates(let aggregates):
            "aggregate \(aggregates.map(\.name).joined(separator: ", "))"
        case .count: "count rows"
        case .exists: "stop at the first row"
        }
    }
}
