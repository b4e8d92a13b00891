import FirnCodec
import FirnEngine
import FirnQuery
import FirnValues

/// Comparisons of several values with several values, and aggregates over objects.
extension GraphOracle {
    func holds(_ comparison: ElementComparison, _ object: GraphObject) -> Bool {
        let isWhole = comparison.test == .wholes
        let left = groups(comparison.left.value, isWhole, object)
        let right = groups(comparison.right.value, isWhole, object)
        return left.contains { left in
            right.contains { right in
                guard !isWhole else { return areEqual(left, right, comparison) }
                return fold(comparison.left.quantifier, left) { value in
                    if comparison.test == .between {
                        return holds(value, .greaterOrEqual, right[0])
                            && holds(value, .lessOrEqual, right[1])
                    }
                    return fold(comparison.right.quantifier, right) { operand in
                        switch comparison.test {
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
        _ left: [Value], _ right: [Value], _ comparison: ElementComparison
    ) -> Bool {
        var (left, right) = (left, right)
        let hasOrder = [comparison.left.value, comparison.right.value].allSatisfy { value in
            guard case .mapped(let path) = value, case .elements(let property) = path.terminal
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
