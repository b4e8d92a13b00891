package import FirnEngine
package import FirnValues

/// What a query text is bound against.
package struct BindingContext: Sendable {
    /// The classes and properties that names stand for.
    package let schema: Schema
    /// The class of a text that names none (`-c`, `.use`, `filter`).
    package let defaultClass: String?
    /// The values of `$name` and `$0`, without the `$`.
    package let arguments: [String: Value]
    /// The values of `%@` and the paths of `%K`, in the order of the text; also those of `$0`,
    /// `$1` and so on that ``arguments`` does not have.
    package let positional: [Value]
    /// The value of `now()`: one moment for the whole query.
    package let now: Timestamp

    package init(
        schema: Schema, defaultClass: String? = nil, arguments: [String: Value] = [:],
        positional: [Value] = [], now: Timestamp
    ) {
        self.schema = schema
        self.defaultClass = defaultClass
        self.arguments = arguments
        self.positional = positional
        self.now = now
    }
}
