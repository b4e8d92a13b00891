import FirnEngine
import FirnValues

/// Binds the stages of a statement from left to right.
struct PipelineBinder {
    let binder: Binder
    private(set) var stages: [BoundStage] = []
    private(set) var explain = false

    init(binder: Binder) { self.binder = binder }

    mutating func append(_ stage: Stage) throws(QueryError) {
        if explain {
            throw QueryError(
                .usage, "explain must be the last stage", at: stage.range.bytes)
        }
        if case .explain = stage.kind {
            explain = true
            return
        }
        try checkOrder(stage)
        if case .sort(let keys) = stage.kind { return try appendSort(keys) }
        stages.append(try bound(stage))
    }

    private func bound(_ stage: Stage) throws(QueryError) -> BoundStage {
        switch stage.kind {
        case .filter(let predicate): return .filter(try binder.predicate(predicate))
        case .sort(let keys): return .sort(try sortKeys(keys))
        case .distinct(let paths):
            var columns: [BoundColumn] = []
            for path in paths {
                let column = try binder.column(path)
                if !columns.contains(column) { columns.append(column) }
            }
            return .distinct(columns.map { .column($0) })
        case .limit(let count): return .limit(try rowCount(count, "LIMIT"))
        case .skip(let count): return .skip(try rowCount(count, "SKIP"))
        case .project(let items): return try ProjectionBinder(binder: binder).bind(items)
        case .count: return .count
        case .exists: return .exists
        case .first: return .first
        case .last: return .last
        case .group, .describe, .explain, .observe, .histogram, .bar, .spark, .set, .delete,
            .output, .save:
            throw binder.unsupported("the stage \"\(stage.word)\"", stage.range)
        }
    }

    // MARK: Order of stages

    /// After a projection only the number of rows can change, after one row nothing.
    private func checkOrder(_ stage: Stage) throws(QueryError) {
        switch stages.last {
        case .project, .limit, .skip:
            guard let projection = stages.last(where: { $0.isProjection }) else { return }
            switch stage.kind {
            case .limit, .skip: return
            default: throw cannotFollow(stage, projection)
            }
        case .some(let last) where last.deliversOneRow: throw cannotFollow(stage, last)
        default: return
        }
    }

    private func cannotFollow(_ stage: Stage, _ last: BoundStage) -> QueryError {
        let after = last.isProjection ? "a projection" : "\"\(last.word)\""
        return QueryError(
            .usage, "\"\(stage.word)\" cannot follow \(after)", at: stage.range.bytes,
            hint: last.isProjection ? "put it before the projection" : nil)
    }

    // MARK: Descriptors

    /// Two sorts side by side are one: the later is primary, the earlier decides ties.
    private mutating func appendSort(_ keys: [SortKey]) throws(QueryError) {
        var merged = try sortKeys(keys)
        if case .sort(let earlier) = stages.last {
            stages.removeLast()
            merged += earlier.filter { key in !merged.contains { $0.column == key.column } }
        }
        stages.append(.sort(merged))
    }

    private func sortKeys(_ keys: [SortKey]) throws(QueryError) -> [BoundSortKey] {
        var result: [BoundSortKey] = []
        for key in keys {
            let column = try binder.column(key.path)
            // A column that already decided has only ties left.
            guard !result.contains(where: { $0.column == column }) else { continue }
            result.append(BoundSortKey(column: column, descending: key.descending))
        }
        return result
    }

    private func rowCount(_ expression: Expression, _ word: String) throws(QueryError) -> Int {
        if case .constant(.int(let count)) = try binder.operand(expression), count >= 0,
            let rows = Int(exactly: count)
        {
            return rows
        }
        throw binder.typeError("\(word) needs a whole number of at least 0", expression.range)
    }
}

extension BoundStage {
    var isProjection: Bool {
        if case .project = self { true } else { false }
    }

    /// Whether the result is one row that is not an object.
    var deliversOneRow: Bool {
        switch self {
        case .aggregate, .count, .exists: true
        default: false
        }
    }

    var word: String {
        switch self {
        case .filter: "where"
        case .sort: "SORT"
        case .distinct: "DISTINCT"
        case .group: "group"
        case .limit: "LIMIT"
        case .skip: "SKIP"
        case .project, .aggregate: "project"
        case .count: "count"
        case .exists: "exists"
        case .first: "first"
        case .last: "last"
        }
    }
}

extension Stage {
    var word: String {
        switch kind {
        case .filter: "where"
        case .sort: "SORT"
        case .distinct: "DISTINCT"
        case .limit: "LIMIT"
        case .skip: "SKIP"
        case .project: "project"
        case .group: "group"
        case .count: "count"
        case .exists: "exists"
        case .first: "first"
        case .last: "last"
        case .describe: "describe"
        case .explain: "explain"
        case .observe: "observe"
        case .histogram: "hist"
        case .bar: "bar"
        case .spark: "spark"
        case .set: "set"
        case .delete: "delete"
        case .output: "to"
        case .save: "save"
        }
    }
}
