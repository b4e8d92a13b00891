package import FirnEngine
package import FirnValues

/// The context that a query text is bound in.
package struct BindingContext: Sendable {
    /// The schema that names refer to.
    package let schema: Schema
    /// The class for a text that does not name one (`-c`, `.use`, `filter`).
    package let defaultClass: String?
    /// The values of `$name` and `$0`, without the `$`.
    package let arguments: [String: Value]
    /// The values of `%@` and the paths of `%K`, in the order of the text.
    ///
    /// They are also the values of `$0`, `$1` and so on, where ``arguments`` has none.
    package let positional: [Value]
    /// The value of `now()`, which is the same for the whole query.
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
