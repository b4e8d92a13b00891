import FirnCodec
import FirnEngine
import FirnValues

/// Equality, implemented by hand because trees nest as deeply as texts may.
///
/// A synthesized implementation holds the payloads of all cases in every frame, which is some
/// kilobytes per level.
extension BoundPredicate {
    package static func == (left: BoundPredicate, right: BoundPredicate) -> Bool {
        switch (left, right) {
        case (.always(let left), .always(let right)): left == right
        case (.and(let left), .and(let right)), (.or(let left), .or(let right)): left == right
        case (.not(let left), .not(let right)): left == right
        case (.linkMatches, .linkMatches): areEqualBehindLinks(left, right)
        default: areEqualLeaves(left, right)
        }
    }

    private static func areEqualBehindLinks(_ left: BoundPredicate, _ right: BoundPredicate) -> Bool
    {
        guard case .linkMatches(let leftLink, let leftClass, let leftInner, let leftIfNil) = left,
            case .linkMatches(let rightLink, let rightClass, let rightInner, let rightIfNil) = right,
            leftIfNil == rightIfNil, leftLink == rightLink, leftClass == rightClass
        else { return false }
        return leftInner == rightInner
    }

    private static func areEqualLeaves(_ left: BoundPredicate, _ right: BoundPredicate) -> Bool {
        switch (left, right) {
        case (.comparison(let left), .comparison(let right)): left == right
        case (.isWithin(let left, let leftRegion), .isWithin(let right, let rightRegion)):
            left == right && leftRegion == rightRegion
        default: false
        }
    }

    package func hash(into hasher: inout Hasher) {
        switch self {
        case .always(let value): hasher.combine(value)
        case .and(let operands):
            hasher.combine(1)
            hasher.combine(operands)
        case .or(let operands):
            hasher.combine(2)
            hasher.combine(operands)
        case .not(let operand):
            hasher.combine(3)
            operand.hash(into: &hasher)
        case .linkMatches: hashBehindLink(into: &hasher)
        case .comparison, .isWithin: hashLeaf(into: &hasher)
        }
    }

    private func hashBehindLink(into hasher: inout Hasher) {
        guard case .linkMatches(let link, _, let inner, _) = self else { return }
        hasher.combine(link.id)
        inner.hash(into: &hasher)
    }

    private func hashLeaf(into hasher: inout Hasher) {
        switch self {
        case .comparison(let comparison): hasher.combine(comparison)
        case .isWithin(let location, let region):
            hasher.combine(location)
            hasher.combine(region)
        case .always, .and, .or, .not, .linkMatches: break
        }
    }
}
