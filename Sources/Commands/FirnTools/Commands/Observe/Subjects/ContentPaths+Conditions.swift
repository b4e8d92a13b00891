import FirnEngine
import FirnQuery

extension ContentPaths {
    /// Adds the paths that a condition reads.
    mutating func add(_ predicate: BoundPredicate) {
        switch predicate {
        case .always: break
        case .and(let operands), .or(let operands): for operand in operands { add(operand) }
        case .not(let operand): add(operand)
        case .linkMatches(let property, let target, _, _):
            add(.column(.property(property)))
            // The condition reads only properties of the linked object.
            addAll(of: target, after: [.link(property, target)])
        case .comparison(let comparison):
            add(comparison.left.value)
            if let right = comparison.right { add(right.value) }
        case .isWithin(let location, _):
            add(.column(.property(location.type)))
            add(.column(.property(location.coordinates)))
        }
    }
}
