/// The part of the grammar that a text may use.
package enum QueryEntry: Sendable {
    /// A condition with descriptors, for objects of a known class: `filter`.
    case predicate
    /// A class, conditions, descriptors and stages that only read.
    case pipeline
    /// A pipeline that may end in `set` or `delete`: `firn write -x`.
    case statement
    /// A statement of the interactive shell, whose text is read by this parser only.
    ///
    /// It may continue an earlier result (`_`, `:name`, a leading `|`), and end in `to`, `save` or
    /// `! command`.
    case repl
}
