import FirnCodec
import FirnEngine
import FirnValues

extension BoundPredicate {
    /// The time to evaluate the condition for a row, relative to a comparison of numbers.
    private var cost: Int {
        switch self {
        case .always: 0
        case .test(_, .text(let pattern)): pattern.kind == .matches ? 40 : 20
        case .test(.property(let property), _): property.type.base == .string ? 3 : 1
        case .test: 2
        case .compareColumns, .linkMatches: 10
        case .quantified(_, let path, _): path.steps.isEmpty ? 20 : 100
        case .compare, .testExpression, .isCollection, .isWithin, .match: 50
        case .compareEach, .matchEach, .quantifiedList, .elements: 100
        case .not(let operand): operand.cost
        case .and(let operands), .or(let operands): operands.reduce(0) { $0 + $1.cost }
        }
    }

    /// Returns the operands of an AND or OR in the order in which they are evaluated: the cheapest
    /// first, so that costly ones only see the rows that are left.
    static func inOrderOfCost(_ operands: [BoundPredicate]) -> [BoundPredicate] {
        let costs = operands.map(\.cost)
        return operands.indices.sorted { (costs[$0], $0) < (costs[$1], $1) }.map { operands[$0] }
    }
}
