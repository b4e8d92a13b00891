package import FirnEngine
import FirnValues

/// A query with names resolved against one schema and constants that fit their columns.
///
/// A bound query is valid for every version of the database that has this schema.
package struct BoundQuery: Hashable, Sendable {
    /// The queried class.
    package let classSchema: ClassSchema
    /// The stages, which are applied one after another to all objects of the class in row order.
    package let stages: [BoundStage]
    /// Whether to return the plan instead of the rows.
    package let explain: Bool
    /// The text that was bound.
    package let text: String

    package init(classSchema: ClassSchema, stages: [BoundStage], explain: Bool, text: String) {
        self.classSchema = classSchema
        self.stages = stages
        self.explain = explain
        self.text = text
    }
}

/// One step of a query.
///
/// Each step processes the rows of the previous one, in their order.
///
/// Invariants: no two `sort` stages are adjacent, because the binder merges them with the later
/// keys first. `aggregate`, `count` and `exists` are the last stage, and so is `project`: stages
/// that follow it in the text are bound to its columns and precede it here. Only a `pivot` or a
/// `chart` may follow it. There is at most one `group`.
package enum BoundStage: Hashable, Sendable {
    /// Keeps the rows that pass.
    ///
    /// Valid anywhere before the last stage, even after a `limit`.
    case filter(BoundPredicate)
    /// Sorts by the first key, then by the second, and so on.
    ///
    /// Ties keep their order.
    case sort([BoundSortKey])
    /// Keeps the first row of each combination in the current order.
    ///
    /// Null equals null.
    case distinct([BoundExpression])
    /// Keeps the first rows, up to a number that is never negative.
    case limit(Int)
    /// Keeps the first rows of each combination of the keys, up to a number that is never negative.
    case limitEach(Int, [BoundExpression])
    /// Names objects that later stages find by the values of a row.
    ///
    /// The rows stay the same.
    case join(BoundJoin)
    /// Drops the first rows, up to a number that is never negative.
    case skip(Int)
    /// Delivers the given columns.
    ///
    /// Without a projection, a query delivers all properties of the class.
    case project([BoundProjection])
    /// Delivers one row of aggregates over all rows.
    case aggregate([BoundAggregate])
    /// Delivers one row per combination of the keys, ordered by first occurrence.
    ///
    /// Each item is a key or an aggregate over the rows of the group. Later `filter`, `sort` and
    /// `project` stages see the items as columns.
    case group(keys: [BoundProjection], items: [BoundGroupItem])
    /// Delivers one row for each element of collections.
    ///
    /// Later stages see the columns like those of a group.
    case unnest(BoundUnnest)
    /// Delivers rows with these columns, some of which depend on other rows.
    ///
    /// Later stages see the columns like those of a group.
    case window([BoundWindowColumn])
    /// Keeps the rows that pass a condition on these columns, some of which depend on other rows.
    case filterAmong([BoundWindowColumn], BoundPredicate)
    /// Delivers one row with the number of rows.
    case count
    /// Delivers one row with a Boolean: whether there is any row.
    case exists
    /// Delivers a column for each value of a key, always as the last stage.
    case pivot(BoundPivot)
    /// Delivers a chart of values, always as the last stage.
    case chart(BoundChart)
    /// Keeps the first row.
    case first
    /// Keeps the last row.
    case last
}

/// One column of a group.
package enum BoundGroupItem: Hashable, Sendable {
    /// The key with this index.
    case key(Int, name: String)
    case aggregate(BoundAggregate)

    package var name: String {
        switch self {
        case .key(_, let name): name
        case .aggregate(let aggregate): aggregate.name
        }
    }

    /// The aggregate; `nil` for a key.
    var aggregate: BoundAggregate? {
        guard case .aggregate(let aggregate) = self else { return nil }
        return aggregate
    }
}
