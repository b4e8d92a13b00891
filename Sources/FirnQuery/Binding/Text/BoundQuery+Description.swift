import FirnCodec
import FirnEngine
import FirnValues

extension BoundQuery: CustomStringConvertible {
    /// The query in canonical form, one text that binds to the same stages again.
    package var description: String {
        ([Canonical.name(classSchema.name)] + stages.map(\.description)).joined(separator: " | ")
    }
}

extension BoundStage: CustomStringConvertible {
    /// The stage in canonical form.
    package var description: String {
        switch self {
        case .filter(let predicate): predicate.description
        case .sort(let keys): "SORT(\(BoundStage.list(keys)))"
        case .distinct:
            preconditionFailure("contract")
        case .limit(let count): "LIMIT(\(count))"
        case .skip(let count): "SKIP(\(count))"
        case .project(let projections): "project(\(BoundStage.list(projections)))"
        case .aggregate(let aggregates): "project(\(BoundStage.list(aggregates)))"
        case .group: preconditionFailure("contract")
        case .count: "count"
        case .exists: "exists"
        case .first: "first"
        case .last: "last"
        }
    }

    private static func list(_ items: [some CustomStringConvertible]) -> String {
        items.map(\.description).joined(separator: ", ")
    }
}

extension BoundSortKey: CustomStringConvertible {
    /// The key with its direction.
    package var description: String { column.canonicalName + (descending ? " DESC" : " ASC") }
}

extension BoundProjection: CustomStringConvertible {
    /// The column, with its alias if that differs.
    package var description: String {
        column.canonicalName + (name == column.name ? "" : " AS " + Canonical.name(name))
    }
}

extension BoundAggregate: CustomStringConvertible {
    /// The aggregate, with its alias if that differs.
    package var description: String {
        let plain = function.rawValue + (column.map { ".\($0.name)" } ?? "")
        let text = function.rawValue + (column.map { ".\($0.canonicalName)" } ?? "")
        return text + (name == plain ? "" : " AS " + Canonical.name(name))
    }
}
