import FirnCodec
import FirnEngine
import FirnValues

extension BoundPredicate {
    /// The time to evaluate the condition for a row, relative to a comparison of numbers.
    private var cost: Int {
        switch self {
        case .always: 0
        case .linkMatches: 10
        case .isWithin: 50
        case .comparison(let comparison): comparison.cost
        case .not(let operand): operand.cost
        case .and(let operands), .or(let operands): operands.reduce(0) { $0 + $1.cost }
        }
    }

    /// Returns the operands of an AND or OR in the order in which they are evaluated: cheapest
    /// first, so that costly ones only see the remaining rows.
    static func inOrderOfCost(_ operands: [BoundPredicate]) -> [BoundPredicate] {
        let costs = operands.map(\.cost)
        return operands.indices.sorted { (costs[$0], $0) < (costs[$1], $1) }.map { operands[$0] }
    }
}

extension BoundComparison {
    fileprivate var cost: Int {
        switch (left.value, test) {
        case (.column, .constant(.text(let pattern))): pattern.kind == .matches ? 40 : 20
        case (.column(.property(let property)), .constant): property.type.base == .string ? 3 : 1
        case (.column, .constant): 2
        case (.mapped(let path), .constant): path.steps.isEmpty ? 20 : 100
        case (_, .isCollection): 50
        case (_, .list): 100
        case _ where columns != nil: 10
        default: left.isSingle && (right?.isSingle ?? true) ? 50 : 100
        }
    }
}
