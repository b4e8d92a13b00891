import FirnSyntax
import FirnValues

extension BoundPredicate {
    /// Whether the tree has the form that its declaration promises; asserted where conditions are
    /// bound.
    var holdsInvariants: Bool {
        switch self {
        case .and(let operands):
            Self.holdInvariants(operands) { if case .and = $0 { true } else { false } }
        case .or(let operands):
            Self.holdInvariants(operands) { if case .or = $0 { true } else { false } }
        case .not(.not), .not(.always): false
        case .not(let operand): operand.holdsInvariants
        case .linkMatches(_, _, .always, _): false
        case .linkMatches(_, _, let inner, _): inner.holdsInvariants
        case .comparison(let comparison): comparison.holdsInvariants
        case .always, .isWithin: true
        }
    }

    private static func holdInvariants(
        _ operands: [BoundPredicate], isOfKind: (BoundPredicate) -> Bool
    ) -> Bool {
        operands.count > 1
            && operands.allSatisfy { operand in
                if case .always = operand { return false }
                return !isOfKind(operand) && operand.holdsInvariants
            }
    }
}

extension BoundComparison {
    /// Whether a quantifier occurs only with several values, and a whole collection is the
    /// collection of a path.
    fileprivate var holdsInvariants: Bool {
        let hasQuantifier = [left, right].contains {
            $0?.isSingle == true && $0?.quantifier != .any
        }
        if case .isCollection = test { return eachPath != nil }
        return !hasQuantifier
    }
}
