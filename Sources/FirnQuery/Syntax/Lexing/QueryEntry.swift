/// Which part of the one grammar a text may use.
package enum QueryEntry: Sendable {
    /// A condition with descriptors, on objects of a class that is known: `filter`.
    case predicate
    /// A class, conditions, descriptors and stages that only read.
    case pipeline
    /// A pipeline that may end in `set` or `delete`: `firn write -x`.
    case statement
    /// A statement that may go on from an earlier result (`_`, `:name`, a `|` in front) and end in
    /// `to`, `save` or `! command`: the interactive shell, where nothing else reads the text.
    case repl
}
