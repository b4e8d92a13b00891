import FirnEngine
import FirnQuery

extension ContentPaths {
    /// Adds the paths that a condition reads.
    mutating func add(_ predicate: BoundPredicate) {
        switch predicate {
        case .always: break
        case .and(let operands), .or(let operands): for operand in operands { add(operand) }
        case .not(let operand): add(operand)
        case .test(let column, _): add(.column(column))
        case .compareColumns(let left, _, let right):
            add(.column(left))
            add(.column(right))
        case .linkMatches(let property, let target, _, _):
            add(.column(.property(property)))
            // The condition reads only properties of the linked object.
            addAll(of: target, after: [.link(property, target)])
        case .quantified(_, let path, _), .quantifiedList(_, let path, _),
            .isCollection(let path, _):
            add(.mapped(path))
        case .isWithin(let location, _):
            add(.column(.property(location.type)))
            add(.column(.property(location.coordinates)))
        case .compare(let left, _, let right), .match(let left, _, _, let right):
            add(left)
            add(right)
        case .compareEach(_, let path, _, let other), .matchEach(_, let path, _, _, let other):
            add(.mapped(path))
            add(other)
        case .elements(let comparison):
            add(comparison.left.value)
            add(comparison.right.value)
        case .testExpression(let expression, _): add(expression)
        }
    }
}
