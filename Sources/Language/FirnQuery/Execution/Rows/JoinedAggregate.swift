import FirnEngine
import FirnValues

/// An aggregate over the objects of a join; it is the same for all rows with equal values.
///
/// It is computed like a group of the objects by these values, in one scan of their class.
enum JoinedAggregate: Hashable, Sendable {
    /// A reduction of the values of a path from each object.
    case reduction(BoundExpression.Reduction, BoundPath)
    /// An aggregate over the objects of a path from each object.
    case aggregate(BoundPath, BoundAggregate)
    /// The number of objects of a path from each object that pass a condition.
    case passing(BoundPath, ClassSchema, BoundPredicate)
}
