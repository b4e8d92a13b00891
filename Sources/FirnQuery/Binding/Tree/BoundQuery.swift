package import FirnEngine

/// A query whose names are resolved against one schema and whose constants fit their columns.
///
/// A bound query holds for every version of the database that has this schema.
package struct BoundQuery: Hashable, Sendable {
    /// The class whose objects are asked for.
    package let classSchema: ClassSchema
    /// What happens to all objects of the class in row order, one stage after the other.
    package let stages: [BoundStage]
    /// Whether the plan is wanted instead of the rows.
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

/// One step of a query; each takes the rows of the one before, in their order.
///
/// Invariants: no two `sort` stand side by side (the binder merged them, the later one in front);
/// `aggregate`, `count` and `exists` are the last stage, and so is `project`: what stood behind it
/// in the text is bound to what it projects and comes before it. Only a `chart` may follow it. At
/// most one `group`.
package enum BoundStage: Hashable, Sendable {
    /// Keeps the rows that pass; legal everywhere before the last stage, also after a `limit`.
    case filter(BoundPredicate)
    /// Orders by the first key, then the second, and so on; ties keep the order they had.
    case sort([BoundSortKey])
    /// Keeps the first row of each combination in the current order; null equals null.
    case distinct([BoundExpression])
    /// Keeps the first so many rows; never negative.
    case limit(Int)
    /// Drops the first so many rows; never negative.
    case skip(Int)
    /// Delivers these columns; without one, a query delivers all properties of the class.
    case project([BoundProjection])
    /// Delivers one row of values over all rows.
    case aggregate([BoundAggregate])
    /// Delivers one row for each combination of the keys, in the order of their first rows: the
    /// items, each a key or a value over the rows of the group. Behind it `filter`, `sort` and
    /// `project` see the items as columns.
    case group(keys: [BoundProjection], items: [BoundGroupItem])
    /// Delivers one row with the number of rows.
    case count
    /// Delivers one row with whether there is any row.
    case exists
    /// Delivers a drawing of values; the last stage.
    case chart(BoundChart)
    /// Keeps the first row.
    case first
    /// Keeps the last row.
    case last
}

/// One column of a group.
package enum BoundGroupItem: Hashable, Sendable {
    /// The key with that number.
    case key(Int, name: String)
    case aggregate(BoundAggregate)

    package var name: String {
        switch self {
        case .key(_, let name): name
        case .aggregate(let aggregate): aggregate.name
        }
    }
}
