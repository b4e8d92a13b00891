package import FirnSyntax
package import FirnValues

/// An expression that has one value for each object.
package indirect enum BoundExpression: Hashable, Sendable {
    /// A reduction of the values of a path.
    package enum Reduction: String, Hashable, Sendable, CaseIterable {
        /// The number of values, or a size.
        ///
        /// For a single value that is not a collection, this is the length of a String or Data in
        /// bytes, the size of a List or Map inside an Any, and null for any other value. For a path
        /// to whole collections (terminal `collection`), it is the total number of elements. For
        /// any other multi-valued path, it is the number of values, including nulls.
        case count = "@count"
        /// The sum; 0 if there are no values.
        case sum = "@sum"
        /// The average; null if there are no values.
        case average = "@avg"
        /// The minimum; null if there are no values.
        case minimum = "@min"
        /// The maximum; null if there are no values.
        case maximum = "@max"
        /// The number of distinct values.
        case distinct = "@distinct"
        /// The middle value, or the mean of the two middle ones; null if there are no values.
        case median = "@median"
        /// The value below which a given share of the values is; null if there are no values.
        case quantile = "@quantile"
        /// The standard deviation of a sample; null for fewer than two values.
        case deviation = "@stddev"
        /// The variance of a sample; null for fewer than two values.
        case variance = "@variance"
        /// The first value in the current order; null if there are no values.
        case first = "@first"
        /// The last value in the current order; null if there are no values.
        case last = "@last"

        /// Whether the result depends on the order of the values.
        package var isOrdered: Bool { self == .first || self == .last }

        /// Returns whether values of a type can be reduced, which must be numbers for a sum.
        ///
        /// Those values of an Any that are not numbers are ignored.
        func takes(_ values: PropertyType) -> Bool {
            switch self {
            case .sum, .average: values.isNumeric || values.base == .any
            case .median, .quantile, .deviation, .variance: values.isNumeric
            case .count, .distinct, .minimum, .maximum, .first, .last: true
            }
        }
    }

    package enum Arithmetic: String, Hashable, Sendable, CaseIterable {
        case add = "+"
        case subtract = "-"
        case multiply = "*"
        case divide = "/"
        /// The remainder of a division that truncates toward zero.
        case remainder = "%"
    }

    case constant(Value)
    /// The fast case: a property of the object itself, or `@id`.
    case column(BoundColumn)
    /// A path with a single value, or one that delivers a whole collection (results only).
    ///
    /// The value is null if a step leads to no object.
    case path(BoundPath)
    case reduction(Reduction, BoundPath)
    /// The number of objects of a path that pass a predicate, which is bound to their class.
    ///
    /// The outputs in the predicate are the values, on the object itself, of the expressions in
    /// `outer`.
    case subqueryCount(ObjectPath, outer: [BoundExpression] = [], BoundPredicate)
    /// An aggregate over the objects of a path, whose expression is bound to their class.
    case aggregate(ObjectPath, BoundAggregate)
    /// The result of an arithmetic operation.
    ///
    /// It is null if an Int overflows, on division by zero, and for null operands.
    case arithmetic(Arithmetic, BoundExpression, BoundExpression)
    /// A Date moved by a duration; null if the Date is null or the result is outside the range of
    /// dates.
    case moved(BoundExpression, milliseconds: Int64)
    case function(ScalarFunction, [BoundExpression])
    /// `@type`: the type name of the value, as in `ValueTag.name`, which is `null` for null.
    case typeName(BoundPath)
    /// All values of a multi-valued path as a list (results only).
    case mapped(BoundPath)
    /// Whether a condition holds, as a Bool that is never null.
    case condition(BoundPredicate)
}
