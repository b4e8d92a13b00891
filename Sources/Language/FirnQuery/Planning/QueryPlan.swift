import FirnCodec
package import FirnEngine
import FirnValues

/// The plan of a bound query.
///
/// A plan is one scan with all leading conditions, or a lookup of a few objects, followed by the
/// steps in their order and by the output.
struct QueryPlan: Hashable, Sendable {
    enum Step: Hashable, Sendable {
        case filter(BoundPredicate)
        /// A sort, which keeps only the first rows if a limit follows.
        case sort([BoundSortKey], limit: Int?)
        case distinct([BoundExpression])
        case limit(Int)
        case skip(Int)
        case last
        /// A grouping; the later steps work on its rows.
        case group(keys: [BoundProjection], items: [BoundGroupItem])
        case limitEach(Int, [BoundExpression])
        /// Rows with values of other rows; the later steps work on these rows.
        case window([BoundWindowColumn])
        /// One row for each element of collections; the later steps work on its columns.
        case unnest(BoundUnnest)
        /// The rows that pass a condition on columns with values of other rows.
        case filterAmong([BoundWindowColumn], BoundPredicate)
    }

    enum Output: Hashable, Sendable {
        case columns([BoundProjection])
        case aggregates([BoundAggregate])
        case count
        case exists
        /// A column for each value of one of the columns.
        case pivot(BoundPivot, [BoundProjection])
        /// A chart of the columns of the rows; the last column is charted.
        case chart(BoundChart, [BoundProjection])
    }

    /// The condition of the scan, evaluated with zone maps and on encoded pages.
    private(set) var scan = BoundPredicate.always(true)
    /// The conditions that all objects of the scan pass.
    private(set) var conditions: [BoundPredicate] = []
    /// The lookup that can replace the scan, and the conditions that remain after it.
    private(set) var lookup: KeyLookup?
    private(set) var afterLookup = BoundPredicate.always(true)
    private(set) var steps: [Step] = []
    private(set) var output: Output

    init(_ query: BoundQuery) {
        output = .columns(
            query.classSchema.properties.map { BoundProjection(whole: $0, of: query.classSchema) })
        // The objects of a join are looked up where a path leads to them.
        var stages = query.stages.filter { if case .join = $0 { false } else { true } }[...]
        var conditions: [BoundPredicate] = []
        while case .filter(let predicate)? = stages.first {
            if case .and(let operands) = predicate {
                conditions += operands
            } else {
                conditions.append(predicate)
            }
            stages.removeFirst()
        }
        scan = QueryPlan.conjunction(conditions)
        self.conditions = conditions
        lookup = KeyLookup.take(from: &conditions, of: query.classSchema)
        if lookup != nil { afterLookup = QueryPlan.conjunction(conditions) }
        for stage in stages { add(stage) }
        dropUnseenSorts()
        boundSorts()
    }

    private mutating func add(_ stage: BoundStage) {
        switch stage {
        case .filter(let predicate): steps.append(.filter(predicate))
        case .sort(let keys): steps.append(.sort(keys, limit: nil))
        case .distinct(let keys): steps.append(.distinct(keys))
        case .limit(let count): steps.append(.limit(count))
        // Not part of the plan.
        case .join: break
        case .limitEach(let count, let keys): steps.append(.limitEach(count, keys))
        case .window(let columns): steps.append(.window(columns))
        case .unnest(let unnest): steps.append(.unnest(unnest))
        case .filterAmong(let columns, let predicate):
            steps.append(.filterAmong(columns, predicate))
        case .skip(let count): steps.append(.skip(count))
        case .first: steps.append(.limit(1))
        case .last: steps.append(.last)
        case .group(let keys, let items):
            steps.append(.group(keys: keys, items: items))
            output = .columns(QueryPlan.outputs(keys, items))
        case .project(let projections): output = .columns(projections)
        case .aggregate(let aggregates): output = .aggregates(aggregates)
        case .count: output = .count
        case .exists: output = .exists
        case .pivot(let pivot):
            guard case .columns(let columns) = output else { return }
            addSort(for: pivot, columns)
            output = .pivot(pivot, columns)
        case .chart(let chart):
            guard case .columns(let columns) = output else { return }
            if case .bar = chart {
                output = .chart(chart, columns + [chart.value])
            } else {
                output = .chart(chart, [chart.value])
            }
        }
    }

    /// Returns whether a step reads the preceding rows twice: for aggregates over them, and for a
    /// condition with these aggregates.
    ///
    /// The rows are found by conditions alone, so that this costs less than to keep them.
    func readsRowsTwice(at index: Int) -> Bool {
        guard case .filterAmong(let columns, _) = steps[index] else { return false }
        return columns.allSatisfy { column in
            guard case .window(let window) = column else { return true }
            return window.aggregate(of: columns) != nil
        } && steps[..<index].allSatisfy { if case .filter = $0 { true } else { false } }
    }

    /// Adds the sort that makes the groups of a row of a pivot adjacent.
    ///
    /// A sort before determines the direction of the keys that it names.
    private mutating func addSort(for pivot: BoundPivot, _ columns: [BoundProjection]) {
        let rows = pivot.rows.map { columns[$0].expression }
        var keys: [BoundSortKey] = []
        if case .sort(let earlier, _)? = steps.last {
            steps.removeLast()
            keys = earlier.filter { rows.contains($0.expression) }
        }
        let rest = rows.filter { row in !keys.contains { $0.expression == row } }
        keys += rest.map { BoundSortKey($0, descending: false) }
        if !keys.isEmpty { steps.append(.sort(keys, limit: nil)) }
    }

    /// Returns all items of a group.
    private static func outputs(
        _ keys: [BoundProjection], _ items: [BoundGroupItem]
    ) -> [BoundProjection] {
        items.enumerated().map { index, item in
            switch item {
            case .key(let number, let name):
                BoundProjection(
                    column: .output(
                        index, name: name, type: keys[number].type,
                        display: keys[number].display), name: name)
            case .aggregate(let aggregate):
                BoundProjection(
                    column: .output(
                        index, name: aggregate.name, type: aggregate.type,
                        display: aggregate.display), name: aggregate.name)
            }
        }
    }

    /// Orders conditions by cost: a range of codes costs less than a text search.
    static func conjunction(_ conditions: [BoundPredicate]) -> BoundPredicate {
        var operands = conditions
        operands.removeAll { $0 == .always(true) }
        if operands.contains(.always(false)) { return .always(false) }
        guard operands.count > 1 else { return operands.first ?? .always(true) }
        return .and(BoundPredicate.inOrderOfCost(operands))
    }

    /// Removes sorts that cannot affect the result.
    ///
    /// A sort has no effect if only the set of rows matters after it: their number, or aggregates
    /// over all of them, with at most conditions in between.
    private mutating func dropUnseenSorts() {
        switch output {
        case .columns, .pivot: return
        case .chart(let chart, _): if chart.isOrdered { return }
        case .count, .exists, .aggregates: break
        }
        while let index = steps.lastIndex(where: { if case .filter = $0 { false } else { true } }),
            case .sort = steps[index]
        {
            steps.remove(at: index)
        }
    }

    /// Limits each sort to the number of rows that a later limit keeps.
    private mutating func boundSorts() {
        for index in steps.indices {
            guard case .sort(let keys, _) = steps[index] else { continue }
            var skipped = 0
            for step in steps[(index + 1)...] {
                if case .skip(let count) = step {
                    skipped = skipped.addingReportingOverflow(count).partialValue
                    guard skipped >= 0 else { break }
                    continue
                }
                if case .limit(let count) = step {
                    let (sum, overflow) = skipped.addingReportingOverflow(count)
                    if !overflow { steps[index] = .sort(keys, limit: sum) }
                }
                break
            }
        }
    }
}

extension QueryPlan.Step {
    /// The name of the operator.
    var name: String {
        switch self {
        case .filter: "filter"
        case .sort: "sort"
        case .distinct: "distinct"
        case .limit: "limit"
        case .skip: "skip"
        case .last: "last"
        case .group: "group"
        case .limitEach: "limit by"
        case .window: "other rows"
        case .unnest: "each"
        case .filterAmong: "filter among"
        }
    }
}

extension BoundProjection {
    /// Creates the column that delivers a property.
    ///
    /// A collection is delivered as a whole.
    package init(whole property: PropertySchema, of schema: ClassSchema) {
        guard property.type.container != .single else {
            self.init(column: .property(property), name: property.name)
            return
        }
        let path = BoundPath(
            root: schema, steps: [], terminal: .collection(property), type: property.type,
            name: property.name, display: property.display)
        self.init(
            .path(path), name: property.name, type: property.type, display: property.display)
    }
}
