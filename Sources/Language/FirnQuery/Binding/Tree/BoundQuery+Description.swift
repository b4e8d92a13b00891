import FirnEngine
import FirnSyntax
import FirnValues

extension BoundQuery: CustomStringConvertible {
    /// The query in canonical form: a text that binds to the same stages.
    package var description: String {
        ([Canonical.name(classSchema.name)] + stages.map(\.description)).joined(separator: " | ")
    }
}

extension BoundStage: CustomStringConvertible {
    /// The stage in canonical form.
    package var description: String {
        switch self {
        // A condition may begin with a word that is also a stage: `where first == true`.
        case .filter(let predicate): predicate.description
        case .sort(let keys): "SORT(\(BoundStage.list(keys)))"
        case .distinct(let keys): "DISTINCT(\(BoundStage.list(keys)))"
        case .limit(let count): "LIMIT(\(count))"
        case .limitEach(let count, let keys): "LIMIT(\(count) BY \(BoundStage.list(keys)))"
        case .join(let join): join.description
        case .unnest(let unnest): unnest.description
        case .window(let columns): "select(\(BoundStage.list(columns)))"
        case .filterAmong(let columns, let predicate):
            BoundText(outputs: columns).text(predicate)
        case .skip(let count): "SKIP(\(count))"
        case .project(let projections): "project(\(BoundStage.list(projections)))"
        case .aggregate(let aggregates): "project(\(BoundStage.list(aggregates)))"
        case .group(let keys, let items): BoundStage.group(keys, items)
        case .count: "count"
        case .exists: "exists"
        case .pivot(let pivot): pivot.description
        case .chart(let chart): chart.description
        case .first: "first"
        case .last: "last"
        }
    }

    private static func list(_ items: [some CustomStringConvertible]) -> String {
        items.map(\.description).joined(separator: ", ")
    }

    private static func group(_ keys: [BoundProjection], _ items: [BoundGroupItem]) -> String {
        let shown = items.map { item -> String in
            switch item {
            case .aggregate(let aggregate): return aggregate.description
            case .key(let index, let name):
                guard keys.indices.contains(index) else { return Canonical.name(name) }
                let expression = keys[index].expression
                return expression.description
                    + (name == expression.defaultName ? "" : " AS " + Canonical.name(name))
            }
        }
        let expressions = list(keys.map(\.expression))
        return "group(\(expressions); \(shown.joined(separator: ", ")))"
    }
}

extension BoundSortKey: CustomStringConvertible {
    /// The key with its direction.
    package var description: String { expression.description + (descending ? " DESC" : " ASC") }
}

extension BoundProjection: CustomStringConvertible {
    /// The value, with its alias if that differs.
    package var description: String {
        expression.description
            + (name == expression.defaultName ? "" : " AS " + Canonical.name(name))
    }
}

extension BoundMutation: CustomStringConvertible {
    /// The statement in canonical form: a text that binds to the same statement.
    package var description: String { query.description + " | " + change.description }
}

extension BoundMutation.Change: CustomStringConvertible {
    /// The stage in canonical form.
    package var description: String {
        switch self {
        case .delete: "delete"
        case .set(let assigned): "set " + assigned.map(\.description).joined(separator: ", ")
        }
    }
}

extension BoundMutation.Assigned: CustomStringConvertible {
    /// The assignment as `name = value`.
    package var description: String {
        place.name + " = " + content.description
    }
}

extension BoundMutation.Content: CustomStringConvertible {
    /// The value in canonical form.
    package var description: String {
        switch self {
        case .expression(let expression): return expression.description
        case .object(let object): return object.description
        case .objects(let objects):
            return "{" + objects.map(\.description).joined(separator: ", ") + "}"
        }
    }
}
