import FirnCodec
import FirnEngine
import FirnQuery
import FirnValues

/// Comparisons of several values with several values, and aggregates over objects.
extension GraphOracle {
    func holds(_ comparison: BoundComparison, _ object: GraphObject) -> Bool {
        let left = comparison.left
        func each(_ holds: (Value) -> Bool) -> Bool {
            guard let path = comparison.eachPath else { return holds(value(left.value, object)) }
            return fold(left.quantifier, values(path, object), holds)
        }
        switch comparison.test {
        case .constant(let test): return each { FirnCodec.value($0, passes: test) }
        case .list(let test): return each { passes(test, $0) }
        case .isCollection(let constants):
            return comparison.eachPath.map { isCollection($0, constants, object) } ?? false
        case .relation(let relation, let right):
            return holds(left, relation, right, object)
        }
    }

    private func holds(
        _ outer: BoundComparison.Side, _ relation: BoundComparison.Relation,
        _ inner: BoundComparison.Side, _ object: GraphObject
    ) -> Bool {
        let isWhole = relation == .wholes
        let left = groups(outer.value, isWhole, object)
        let right = groups(inner.value, isWhole, object)
        return left.contains { left in
            right.contains { right in
                guard !isWhole else { return areEqual(left, right, [outer, inner]) }
                return fold(outer.quantifier, left) { value in
                    if relation == .between {
                        return holds(value, .greaterOrEqual, right[0])
                            && holds(value, .lessOrEqual, right[1])
                    }
                    return fold(inner.quantifier, right) { operand in
                        switch relation {
                        case .compare(let operation): holds(value, operation, operand)
                        case .match(let kind, let options):
                            matches(value, kind, options, operand)
                        case .between, .wholes: false
                        }
                    }
                }
            }
        }
    }

    private func areEqual(
        _ left: [Value], _ right: [Value], _ sides: [BoundComparison.Side]
    ) -> Bool {
        var (left, right) = (left, right)
        let hasOrder = sides.allSatisfy { side in
            guard case .mapped(let path) = side.value, case .elements(let property) = path.terminal
            else { return true }
            return property.type.container == .list
        }
        if !hasOrder {
            left.sort { $0.order(relativeTo: $1) == .less }
            right.sort { $0.order(relativeTo: $1) == .less }
        }
        return left.count == right.count
            && zip(left, right).allSatisfy { holds($0, .equal, $1) }
    }

    /// The groups of values of a side.
    private func groups(
        _ expression: BoundExpression, _ isWhole: Bool, _ object: GraphObject
    ) -> [[Value]] {
        switch expression {
        case .constant(.list(let values)): return [values]
        case .arithmetic(let operation, let left, let right) where expression.elementPath != nil:
            let isLeft = left.elementPath != nil
            return groups(isLeft ? left : right, isWhole, object).map { group in
                group.map { element in
                    isLeft
                        ? arithmetic(operation, element, value(right, object))
                        : arithmetic(operation, value(left, object), element)
                }
            }
        case .mapped(let path):
            if let (collections, inner) = path.innerCollections {
                let groups = values(collections, object).compactMap { collection -> [Value]? in
                    switch collection {
                    case .list, .set, .map: inside(collection, inner[...])
                    default: nil
                    }
                }
                return groups.isEmpty && !isWhole ? [[]] : groups
            }
            if isWhole, path.measure == nil, case .elements(let property) = path.terminal {
                return objects(path, object).map {
                    elements(data.value(property, of: $0.row, in: $0.schema))
                }
            }
            return [values(path, object)]
        default: return [[value(expression, object)]]
        }
    }

    func aggregate(_ aggregate: BoundAggregate, _ objects: [GraphObject]) -> Value {
        guard let expression = aggregate.expression else { return .int(Int64(objects.count)) }
        let values = objects.map { value(expression, $0) }.filter { $0 != .null }
        switch aggregate.function {
        case .count: return .int(Int64(values.count))
        case .minimum: return values.min { $0.order(relativeTo: $1) == .less } ?? .null
        case .maximum: return values.max { $0.order(relativeTo: $1) == .less } ?? .null
        case .sum:
            let sum = values.reduce(Int128(0)) { sum, value in
                if case .int(let number) = value { sum + Int128(number) } else { sum }
            }
            return Int64(exactly: sum).map { .int($0) } ?? .null
        default: preconditionFailure("an aggregate that random queries do not have")
        }
    }
}
