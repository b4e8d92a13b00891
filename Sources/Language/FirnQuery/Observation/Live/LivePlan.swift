import FirnEngine
package import FirnSyntax
import FirnValues

/// The plan for maintaining a live query, including the form in which its result is stored.
struct LivePlan {
    /// The form in which the rows are stored.
    enum Base {
        /// The members, in table order.
        case members
        /// The members in the order of a sort.
        case order
        /// The rows as the query returned them.
        case list
    }

    /// A range of positions.
    private enum Slice {
        case first(Int)
        case without(Int)
        case last
    }

    /// The query without the final stages that only determine the output for its rows.
    let query: BoundQuery
    let base: Base
    let maintenance: LiveMaintenance
    /// The condition that all members pass.
    let filter: BoundPredicate
    /// The keys that members are sorted by.
    let keys: [BoundSortKey]
    private let slices: [Slice]

    /// Throws an error for a query whose rows are elements.
    static func checkElements(_ query: BoundQuery) throws(QueryError) {
        guard query.stages.contains(where: { if case .unnest = $0 { true } else { false } }) else {
            return
        }
        throw QueryError(
            .usage, "the elements of each cannot be observed", at: 0..<query.text.utf8.count,
            hint: "observe the objects without it")
    }

    /// Creates a plan.
    ///
    /// - Throws: ``QueryError`` for a query whose rows are not objects.
    init(_ query: BoundQuery, _ source: LiveSource) throws(QueryError) {
        var stages = query.stages
        while let last = stages.last, last.isOutput { stages.removeLast() }
        if stages.contains(where: { if case .join = $0 { true } else { false } }) {
            throw QueryError(
                .usage, "a join cannot be observed", at: 0..<query.text.utf8.count,
                hint: "observe the classes separately, or link them")
        }
        try LivePlan.checkElements(query)
        if stages.contains(where: \.dependsOnOtherRows) {
            throw QueryError(
                .usage, "rows with values of other rows cannot be observed",
                at: 0..<query.text.utf8.count)
        }
        if stages.contains(where: { if case .group = $0 { true } else { false } }) {
            throw QueryError(
                .usage, "the rows of a group are not objects, which alone can be observed",
                at: 0..<query.text.utf8.count)
        }
        self.query = BoundQuery(
            classSchema: query.classSchema, stages: stages, explain: false, text: query.text)
        var filters: [BoundPredicate] = []
        var keys: [BoundSortKey] = []
        var slices: [Slice] = []
        var reason = source.reason
        for stage in stages where reason == nil {
            switch stage {
            case .filter(let predicate) where slices.isEmpty: filters.append(predicate)
            // The keys of the later sort come first. The earlier sort decides ties.
            case .sort(let later) where slices.isEmpty: keys = later + keys
            case .limit(let count): slices.append(.first(count))
            case .first: slices.append(.first(1))
            case .skip(let count): slices.append(.without(count))
            case .last: slices.append(.last)
            case .filter: reason = "a condition after a LIMIT"
            case .sort: reason = "a SORT after a LIMIT"
            case .distinct: reason = "DISTINCT"
            case .limitEach: reason = "LIMIT BY"
            case .join, .window, .unnest, .filterAmong, .project, .aggregate, .group, .count,
                .exists, .pivot, .chart:
                reason = "a stage after values"
            }
        }
        filter = QueryPlan.conjunction(filters)
        self.keys = keys
        self.slices = slices
        if let reason {
            base = .list
            maintenance = .again(because: reason)
            return
        }
        base = keys.isEmpty ? .members : .order
        let whole = keys.isEmpty ? LiveMaintenance.byMembers : .byOrder
        maintenance =
            slices.isEmpty ? whole : .window(Self.text(of: slices), of: whole)
    }

    /// The query for all members in their order, before a range of them is taken.
    var baseQuery: BoundQuery {
        var stages: [BoundStage] = []
        if filter != .always(true) { stages.append(.filter(filter)) }
        if !keys.isEmpty { stages.append(.sort(keys)) }
        return BoundQuery(
            classSchema: query.classSchema, stages: stages, explain: false, text: query.text)
    }

    /// Whether the result is only a range of the members.
    var isWindow: Bool { base != .list && !slices.isEmpty }

    /// Returns the positions of the result among `count` members.
    func window(of count: Int) -> Range<Int> {
        slices.reduce(0..<count) { range, slice in
            switch slice {
            case .first(let wanted): range.prefix(wanted)
            case .without(let skipped): range.dropFirst(skipped)
            case .last: range.suffix(1)
            }
        }
    }

    private static func text(of slices: [Slice]) -> String {
        func rows(_ count: Int) -> String { count == 1 ? "row" : "\(count) rows" }
        switch (slices.first, slices.dropFirst().first, slices.count) {
        case (.first(let count)?, nil, _): return "the first \(rows(count))"
        case (.without(let count)?, nil, _): return "all but the first \(rows(count))"
        case (.last?, nil, _): return "the last row"
        case (.without(let skipped)?, .first(let count)?, 2):
            return "\(rows(count)) after the first \(rows(skipped))"
        default: return "rows by their positions"
        }
    }
}

extension LiveMaintenance {
    /// Determines how a live query would be maintained, without running it.
    ///
    /// - Throws: ``QueryError`` for a query that cannot be observed.
    package init(of query: BoundQuery, among source: LiveSource = .objects) throws(QueryError) {
        self = try LivePlan(query, source).maintenance
    }
}

extension BoundStage {
    /// Whether the stage only determines the output.
    fileprivate var isOutput: Bool {
        switch self {
        case .project, .aggregate, .count, .exists, .pivot, .chart: true
        case .filter, .sort, .distinct, .limit, .limitEach, .skip, .group, .window, .unnest,
            .filterAmong, .join, .first, .last:
            false
        }
    }

    /// Whether the result for a row depends on the values of other rows.
    fileprivate var dependsOnOtherRows: Bool {
        switch self {
        case .window, .filterAmong: true
        default: false
        }
    }
}

extension LiveSource {
    /// The reason why the result is not stored as members; `nil` if it is.
    fileprivate var reason: String? {
        switch self {
        case .objects: nil
        case .elements(_, let property): "the elements of \(property.name)"
        case .sources(_, let property, let source): "the links of \(source.name).\(property.name)"
        }
    }
}

/// The method by which a live query is maintained, as `explain` displays it.
package indirect enum LiveMaintenance: Hashable, Sendable, CustomStringConvertible {
    /// By a set of members.
    ///
    /// Only objects that a commit touched are read: O(k) for k of them.
    case byMembers
    /// By the members and their order: O(k log n).
    case byOrder
    /// By a range of positions in a result of another kind, which is compared as a whole.
    case window(String, of: LiveMaintenance)
    /// By running values of each group, which are updated for the changed objects.
    case byGroups
    /// By running values of all objects.
    case byAggregates
    /// By running the query again whenever an object on which it depends was touched.
    case again(because: String)

    package var description: String {
        switch self {
        case .byMembers: "kept up to date by members"
        case .byOrder: "kept up to date by order"
        case .window(let rows, let base): "window of \(rows), \(base)"
        case .byGroups: "kept up to date by groups"
        case .byAggregates: "kept up to date by aggregates"
        case .again(let reason): "run again because of \(reason)"
        }
    }
}
