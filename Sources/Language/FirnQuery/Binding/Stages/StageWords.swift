import FirnSyntax

extension BoundStage {
    /// Whether the result consists of neither objects nor groups, so that no stage can follow.
    var isFinal: Bool {
        switch self {
        case .aggregate, .count, .exists, .pivot, .chart: true
        default: false
        }
    }

    var word: String {
        switch self {
        case .filter, .filterAmong: "where"
        case .sort: "SORT"
        case .distinct: "DISTINCT"
        case .group: "group"
        case .limit, .limitEach: "LIMIT"
        case .join: "join"
        case .unnest: "each"
        case .skip: "SKIP"
        case .project, .aggregate, .window: "project"
        case .count: "count"
        case .exists: "exists"
        case .pivot: "pivot"
        case .chart(.histogram): "hist"
        case .chart(.bar): "bar"
        case .chart(.spark): "spark"
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
        case .limit, .limitEach: "LIMIT"
        case .join: "join"
        case .each: "each"
        case .pivot: "pivot"
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
        case .shell: "!"
        }
    }
}
