import FirnEngine
import FirnSyntax
import FirnValues

/// The plan for maintaining the values of a query: the rows of a `group`, aggregates, or a count.
struct LiveValuesPlan {
    /// The form in which the values are kept.
    enum Base {
        /// The number of objects of a live query.
        case count
        /// Running values of the objects that pass a condition, for each combination of the keys.
        case groups(keys: [BoundProjection], items: [BoundGroupItem])
        /// The result of the query as it was last run.
        case result
    }

    let query: BoundQuery
    let base: Base
    let maintenance: LiveMaintenance
    /// The columns of the group that identify its rows; empty if the query returns one row.
    let keys: [BoundProjection]
    /// Whether the objects are grouped, with or without keys.
    let isGrouped: Bool
    /// The steps after the group.
    let steps: ArraySlice<QueryPlan.Step>
    let output: QueryPlan.Output
    /// The objects that the values are computed from.
    let objects: BoundQuery

    /// Returns whether a query delivers values that are computed from several objects.
    static func applies(to query: BoundQuery) -> Bool {
        query.stages.contains { stage in
            switch stage {
            case .group, .aggregate, .count, .exists: true
            case .filter, .sort, .distinct, .limit, .limitEach, .skip, .window, .unnest,
                .filterAmong, .join, .project, .first, .last, .pivot, .chart:
                false
            }
        }
    }

    /// Creates a plan.
    ///
    /// - Throws: ``QueryError`` for a query without such values, and for a chart.
    init(_ query: BoundQuery) throws(QueryError) {
        let plan = QueryPlan(query)
        if case .chart = plan.output {
            throw QueryError(
                .usage, "a chart cannot be observed", at: 0..<query.text.utf8.count,
                hint: "observe the values of the chart without it")
        }
        if case .pivot = plan.output {
            throw QueryError(
                .usage, "a pivot cannot be observed", at: 0..<query.text.utf8.count,
                hint: "observe its group without it")
        }
        guard LiveValuesPlan.applies(to: query) else {
            throw QueryError(
                .usage, "the query returns objects, not values", at: 0..<query.text.utf8.count)
        }
        if query.stages.contains(where: { if case .join = $0 { true } else { false } }) {
            throw QueryError(
                .usage, "a join cannot be observed", at: 0..<query.text.utf8.count,
                hint: "observe the classes separately, or link them")
        }
        try LivePlan.checkElements(query)
        let dependsOnOtherRows = plan.steps.contains { step in
            switch step {
            case .window, .filterAmong: true
            default: false
            }
        }
        if dependsOnOtherRows {
            throw QueryError(
                .usage, "rows with values of other rows cannot be observed",
                at: 0..<query.text.utf8.count)
        }
        self.query = query
        output = plan.output
        let group = plan.steps.firstIndex { if case .group = $0 { true } else { false } }
        isGrouped = group != nil
        let before = plan.steps[..<(group ?? plan.steps.endIndex)]
        steps = plan.steps[(group.map { $0 + 1 } ?? plan.steps.endIndex)...]
        keys = plan.steps.reversed().lazy.compactMap(LiveValuesPlan.keys(of:)).first ?? []
        objects = LiveValuesPlan.objects(of: query, plan, before)
        let change =
            before.lazy.compactMap(LiveValuesPlan.reason(of:)).first
            ?? steps.lazy.compactMap(LiveValuesPlan.reasonAfterGroup).first
            ?? LiveValuesPlan.running(of: plan, group).first { !LiveAggregate.supports($0) }
            .map(\.function.rawValue)
        switch (group.map { plan.steps[$0] }, plan.output) {
        case (nil, .count), (nil, .exists):
            maintenance = try LivePlan(objects, .objects).maintenance
            if case .again = maintenance { base = .result } else { base = .count }
        case (.group(let keys, let items)?, _) where change == nil:
            base = .groups(keys: keys, items: items)
            maintenance = .byGroups
        case (nil, .aggregates(let aggregates)) where change == nil:
            base = .groups(keys: [], items: aggregates.map { .aggregate($0) })
            maintenance = .byAggregates
        default:
            base = .result
            maintenance = .again(because: change ?? "its values")
        }
    }

    /// Returns the key columns of a group, as later stages see them.
    private static func keys(of step: QueryPlan.Step) -> [BoundProjection]? {
        guard case .group(let keys, let items) = step else { return nil }
        return keys.indices.compactMap { number -> BoundProjection? in
            for (index, item) in items.enumerated() {
                guard case .key(number, let name) = item else { continue }
                let column = BoundColumn.output(
                    index, name: name, type: keys[number].type, display: keys[number].display)
                return BoundProjection(column: column, name: name)
            }
            return nil
        }
    }

    /// Returns the query for the objects, without the sorts that the plan found to have no effect.
    private static func objects(
        of query: BoundQuery, _ plan: QueryPlan, _ before: ArraySlice<QueryPlan.Step>
    ) -> BoundQuery {
        var stages: [BoundStage] = plan.scan == .always(true) ? [] : [.filter(plan.scan)]
        for step in before {
            switch step {
            case .filter(let predicate): stages.append(.filter(predicate))
            case .sort(let keys, _): stages.append(.sort(keys))
            case .distinct(let keys): stages.append(.distinct(keys))
            case .limitEach(let count, let keys): stages.append(.limitEach(count, keys))
            case .limit(let count): stages.append(.limit(count))
            case .skip(let count): stages.append(.skip(count))
            case .last: stages.append(.last)
            case .group, .window, .unnest, .filterAmong: break
            }
        }
        return BoundQuery(
            classSchema: query.classSchema, stages: stages, explain: false, text: query.text)
    }

    /// Returns the reason why a step before the values prevents running values.
    private static func reason(of step: QueryPlan.Step) -> String? {
        switch step {
        case .filter, .group, .window, .unnest, .filterAmong: nil
        case .sort: "a SORT before the values"
        case .distinct: "a DISTINCT before the values"
        case .limit, .limitEach, .skip, .last: "a LIMIT before the values"
        }
    }

    /// Returns the reason why a step after a group prevents running values.
    private static func reasonAfterGroup(_ step: QueryPlan.Step) -> String? {
        if case .group = step { "a group after a group" } else { nil }
    }

    /// Returns the aggregates over objects whose values are to be kept.
    ///
    /// Aggregates over the rows of a group are computed from these rows after each change.
    ///
    /// - Parameter group: the index of the first group among the steps.
    private static func running(of plan: QueryPlan, _ group: Int?) -> [BoundAggregate] {
        if let group, case .group(_, let items) = plan.steps[group] {
            return items.compactMap(\.aggregate)
        }
        if case .aggregates(let aggregates) = plan.output { return aggregates }
        return []
    }

    /// Returns the graph of the properties that the result depends on.
    func watched(in schema: Schema) -> WatchedGraph {
        var predicates: [BoundPredicate] = []
        var expressions: [BoundExpression] = []
        for stage in query.stages {
            switch stage {
            case .filter(let predicate): predicates.append(predicate)
            case .sort(let keys): expressions += keys.map(\.expression)
            case .distinct(let keys), .limitEach(_, let keys): expressions += keys
            case .window(let columns), .filterAmong(let columns, _):
                for case .input(let input) in columns { expressions.append(input.expression) }
            case .project(let projections): expressions += projections.map(\.expression)
            case .aggregate(let aggregates): expressions += aggregates.compactMap(\.expression)
            case .group(let keys, let items):
                expressions += keys.map(\.expression)
                for case .aggregate(let aggregate) in items {
                    if let operand = aggregate.expression { expressions.append(operand) }
                }
            case .join, .unnest, .limit, .skip, .count, .exists, .pivot, .chart, .first,
                .last:
                break
            }
        }
        return WatchedGraph(of: query.classSchema, predicates, expressions, in: schema)
    }
}
