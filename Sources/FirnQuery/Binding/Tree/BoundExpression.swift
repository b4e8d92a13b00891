package import FirnValues

/// Something that has one value for each object.
package indirect enum BoundExpression: Hashable, Sendable {
    /// What collections are reduced by.
    package enum Reduction: String, Hashable, Sendable, CaseIterable {
        /// Of a path with one value that is no collection: the length of a String or Data in
        /// bytes, the size of a List or Map inside of an Any, null of anything else.
        /// Of a path to whole collections (terminal `collection`): how many elements they have
        /// together. Of any other multiple path: how many values it has, nulls among them.
        case count = "@count"
        /// Of nothing: 0.
        case sum = "@sum"
        /// Of nothing: null.
        case average = "@avg"
        /// Of nothing: null.
        case minimum = "@min"
        /// Of nothing: null.
        case maximum = "@max"
    }

    package enum Arithmetic: String, Hashable, Sendable, CaseIterable {
        case add = "+"
        case subtract = "-"
        case multiply = "*"
        case divide = "/"
    }

    package enum Function: String, Hashable, Sendable, CaseIterable {
        case upper, lower, trim, length, coalesce, year, month, day, weekday, hour
    }

    case constant(Value)
    /// The fast case: a property of the object itself, or `@id`.
    case column(BoundColumn)
    /// A path that is not multiple, or one that delivers a whole collection (results only); null
    /// where the way ends early.
    case path(BoundPath)
    case reduction(Reduction, BoundPath)
    /// How many objects of a path pass a predicate; the predicate is bound to their class.
    case subqueryCount(ObjectPath, BoundPredicate)
    /// Of Ints with overflow, of anything divided by zero, of null: null.
    case arithmetic(Arithmetic, BoundExpression, BoundExpression)
    /// A Date so much later, or earlier; null of null and beyond the range of dates.
    case moved(BoundExpression, milliseconds: Int64)
    case function(Function, [BoundExpression])
    /// `@type`: the name of the type of the value as `ValueTag.name` has it, `null` of null.
    case typeName(BoundPath)
    /// All values of a multiple path as a list (results only).
    case mapped(BoundPath)
}
