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
        case (.test, .test), (.compareColumns, .compareColumns): areEqualOnColumns(left, right)
        case (.quantified, .quantified), (.quantifiedList, .quantifiedList),
            (.compareEach, .compareEach), (.matchEach, .matchEach),
            (.isCollection, .isCollection):
            areEqualOnPaths(left, right)
        default: areEqualOnExpressions(left, right)
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

    private static func areEqualOnColumns(_ left: BoundPredicate, _ right: BoundPredicate) -> Bool {
        switch (left, right) {
        case (.test(let left, let leftTest), .test(let right, let rightTest)):
            left == right && leftTest == rightTest
        case (
            .compareColumns(let left1, let leftOperation, let left2),
            .compareColumns(let right1, let rightOperation, let right2)
        ):
            leftOperation == rightOperation && left1 == right1 && left2 == right2
        default: false
        }
    }

    private static func areEqualOnPaths(_ left: BoundPredicate, _ right: BoundPredicate) -> Bool {
        switch (left, right) {
        case (
            .quantified(let leftQuantifier, let leftPath, let leftTest),
            .quantified(let rightQuantifier, let rightPath, let rightTest)
        ):
            leftQuantifier == rightQuantifier && leftPath == rightPath && leftTest == rightTest
        case (
            .quantifiedList(let leftQuantifier, let leftPath, let leftTest),
            .quantifiedList(let rightQuantifier, let rightPath, let rightTest)
        ):
            leftQuantifier == rightQuantifier && leftPath == rightPath && leftTest == rightTest
        case (
            .compareEach(let leftQuantifier, let leftPath, let leftOperation, let left),
            .compareEach(let rightQuantifier, let rightPath, let rightOperation, let right)
        ):
            leftQuantifier == rightQuantifier && leftOperation == rightOperation
                && leftPath == rightPath && left == right
        case (
            .matchEach(let leftQuantifier, let leftPath, let leftKind, let leftOptions, let left),
            .matchEach(
                let rightQuantifier, let rightPath, let rightKind, let rightOptions, let right)
        ):
            leftQuantifier == rightQuantifier && leftKind == rightKind
                && leftOptions == rightOptions && leftPath == rightPath && left == right
        case (.isCollection(let left, let leftValues), .isCollection(let right, let rightValues)):
            left == right && leftValues == rightValues
        default: false
        }
    }

    private static func areEqualOnExpressions(
        _ left: BoundPredicate, _ right: BoundPredicate
    ) -> Bool {
        switch (left, right) {
        case (
            .compare(let left1, let leftOperation, let left2),
            .compare(let right1, let rightOperation, let right2)
        ):
            leftOperation == rightOperation && left1 == right1 && left2 == right2
        case (.testExpression(let left, let leftTest), .testExpression(let right, let rightTest)):
            left == right && leftTest == rightTest
        case (.isWithin(let left, let leftRegion), .isWithin(let right, let rightRegion)):
            left == right && leftRegion == rightRegion
        case (
            .match(let left1, let leftKind, let leftOptions, let left2),
            .match(let right1, let rightKind, let rightOptions, let right2)
        ):
            leftKind == rightKind && leftOptions == rightOptions && left1 == right1
                && left2 == right2
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
        default: hashLeaf(into: &hasher)
        }
    }

    private func hashBehindLink(into hasher: inout Hasher) {
        guard case .linkMatches(let link, _, let inner, _) = self else { return }
        hasher.combine(link.id)
        inner.hash(into: &hasher)
    }

    private func hashLeaf(into hasher: inout Hasher) {
        switch self {
        case .test(let column, let test):
            hasher.combine(column)
            hasher.combine(test)
        case .compareColumns(let left, let operation, let right):
            hasher.combine(left)
            hasher.combine(operation)
            hasher.combine(right)
        case .quantified(_, let path, let test):
            hasher.combine(path)
            hasher.combine(test)
        case .quantifiedList(_, let path, let test):
            hasher.combine(path)
            hasher.combine(test)
        case .compareEach(_, let path, let operation, let right):
            hasher.combine(path)
            hasher.combine(operation)
            hasher.combine(right)
        case .matchEach(_, let path, let kind, _, let right):
            hasher.combine(path)
            hasher.combine(kind)
            hasher.combine(right)
        case .isCollection(let path, let values):
            hasher.combine(path)
            hasher.combine(values)
        case .compare(let left, let operation, let right):
            hasher.combine(left)
            hasher.combine(operation)
            hasher.combine(right)
        case .testExpression(let expression, let test):
            hasher.combine(expression)
            hasher.combine(test)
        case .match(let left, let kind, _, let right):
            hasher.combine(left)
            hasher.combine(kind)
            hasher.combine(right)
        case .elements(let comparison): hasher.combine(comparison)
        case .isWithin(let location, let region):
            hasher.combine(location)
            hasher.combine(region)
        case .always, .and, .or, .not, .linkMatches: break
        }
    }
}
