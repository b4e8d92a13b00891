import FirnValues

extension BoundPredicate {
    /// Whether the tree has the form that its declaration promises; asserted where a condition was bound.
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
        default: true
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
