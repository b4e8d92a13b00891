/// Which part of the one grammar a text may use.
package enum QueryEntry: Sendable {
    /// A condition with descriptors, on objects of a class that is known: `filter`.
    case predicate
    /// A class, conditions, descriptors and stages that only read.
    case pipeline
    /// A pipeline that may end in `set` or `delete`: `firn write -x`.
    case statement
}
