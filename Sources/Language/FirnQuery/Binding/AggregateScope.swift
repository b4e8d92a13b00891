import FirnSyntax
import FirnValues

/// The aggregates of the items of one group, which are collected while the items are bound.
///
/// An item is computed from the columns of the group: first the keys, then the aggregates.
final class AggregateScope {
    let keys: [BoundProjection]
    /// The names of the columns of the keys.
    let names: [String]
    /// The names that the query gives to keys, with the index of the key.
    private let keyNames: [(name: String, key: Int)]
    private(set) var aggregates: [BoundAggregate] = []
    /// The item that is being bound, for errors.
    var itemRange = SourceRange(0..<0)

    init(keys: [BoundProjection], names: [String], keyNames: [(name: String, key: Int)]) {
        self.keys = keys
        self.names = names
        self.keyNames = keyNames
    }

    /// Returns the index of the key whose name in the query is the given expression; `nil` if there
    /// is none.
    func key(named expression: Expression) -> Int? {
        guard case .path(let path) = expression, path.variable == nil, path.segments.count == 1,
            case .name(let name) = path.segments[0].kind
        else { return nil }
        return keyNames.first { $0.name == name }?.key
    }

    /// Returns the column of a key.
    func column(ofKey index: Int) -> BoundColumn {
        let key = keys[index]
        return .output(index, name: names[index], type: key.type, display: key.display)
    }

    /// Returns the column of the key that an expression computes; `nil` if it computes none.
    func column(of expression: BoundExpression) -> BoundColumn? {
        keys.firstIndex { $0.expression == expression }.map { column(ofKey: $0) }
    }

    /// Returns the column of an aggregate, adding it if necessary.
    func column(of aggregate: BoundAggregate) -> BoundColumn {
        let index =
            aggregates.firstIndex { $0.computesSame(as: aggregate) } ?? aggregates.endIndex
        if index == aggregates.endIndex { aggregates.append(named(aggregate)) }
        let known = aggregates[index]
        return .output(
            keys.count + index, name: known.name, type: known.type, display: known.display)
    }

    /// Returns the aggregate with a name by which the plan refers to it.
    ///
    /// Only items have names that the query can refer to.
    private func named(_ aggregate: BoundAggregate) -> BoundAggregate {
        if aggregate.isWrittenAsPath { return aggregate }
        let names = TextSet(names + aggregates.map(\.name))
        var number = aggregates.count + 1
        while names.contains("_\(number)") { number += 1 }
        return aggregate.renamed("_\(number)")
    }
}
