package import FirnEngine
import FirnSyntax
package import FirnValues

/// Resolves the names and types of one class.
struct Binder {
    /// The class of the objects that paths start from.
    let classSchema: ClassSchema
    let context: BindingContext
    let text: String
    /// The variable of the subquery being bound, without the `$`.
    private(set) var variable: String?
    /// The values of the object around the subquery being bound; `nil` outside of subqueries.
    private(set) var outer: OuterScope?
    /// The variables of the enclosing subqueries, outermost first.
    private(set) var outerVariables: [String] = []
    /// The column names of the projection, which take precedence over properties.
    var aliases: TextMap<Alias> = [:]
    /// The columns of the result of a `group`, or of items with values of other rows.
    ///
    /// After it, no other columns exist. What their items are computed from has no name here.
    var outputs: [Output]?
    /// The outputs that later stages mention, if some are not computed.
    var mentioned: MentionedColumns?
    /// The joins by the names of their objects.
    var joins: TextMap<BoundJoin> = [:]
    /// The aggregates of the items that are being bound; `nil` outside of them.
    var aggregateScope: AggregateScope?
    /// The columns of the items with values of other rows that are being bound; `nil` outside of
    /// them.
    var windowScope: WindowScope?
    /// Whether the condition that is being bound is in the place of a value.
    var isValue = false

    /// A name that is defined by a projection.
    struct Alias {
        let operand: Operand
        /// The path of the column, if it is a path.
        ///
        /// It can be continued.
        let path: Path?
    }

    /// A column of a result that later stages refer to by its name.
    struct Output {
        let name: String
        let value: Computed
    }

    init(classSchema: ClassSchema, context: BindingContext, text: String) {
        self.classSchema = classSchema
        self.context = context
        self.text = text
    }

    /// Returns the binder for the condition of a nested subquery.
    func inside(_ variable: String, of element: ClassSchema) -> Binder {
        var inner = Binder(classSchema: element, context: context, text: text)
        inner.variable = variable
        inner.outerVariables = variables
        inner.outer = OuterScope(self)
        return inner
    }

    /// Returns the binder for an aggregate of a collection, whose paths start from its objects.
    func inside(of element: ClassSchema) -> Binder {
        var inner = Binder(classSchema: element, context: context, text: text)
        inner.outerVariables = variables
        return inner
    }

    /// The variables that are in use, outermost first.
    var variables: [String] { outerVariables + (variable.map { [$0] } ?? []) }

    /// Returns the text of a range.
    func typed(_ range: SourceRange) -> String {
        String(
            decoding: text.utf8.dropFirst(range.bytes.lowerBound).prefix(range.bytes.count),
            as: UTF8.self)
    }

    /// Returns the error for a language feature that this version cannot run.
    func unsupported(
        _ what: String, _ range: SourceRange, hint: String? = nil
    ) -> QueryError {
        QueryError(
            .usage, "\(what) cannot be run by this version of firn", at: range.bytes, hint: hint)
    }

    func typeError(_ message: String, _ range: SourceRange, hint: String? = nil) -> QueryError {
        QueryError(.type, message, at: range.bytes, hint: hint)
    }

    func limitError(_ message: String, _ range: SourceRange) -> QueryError {
        QueryError(.limit, message, at: range.bytes)
    }

    func unknownClass(_ name: String, _ range: SourceRange) -> QueryError {
        context.unknownClass(name, range.bytes)
    }
}

/// The context that a query text is bound in.
package struct BindingContext: Sendable {
    /// The schema that names refer to.
    package let schema: Schema
    /// The class for a text that does not name one (`-c`, `.use`, `filter`).
    package let defaultClass: String?
    /// The values of `$name` and `$0`, without the `$`.
    package let arguments: QueryArguments
    /// The values of `%@` and the paths of `%K`, in the order of the text.
    ///
    /// They are also the values of `$0`, `$1` and so on, where ``arguments`` has none.
    package let positional: [Value]
    /// The value of `now()`, which is the same for the whole query.
    package let now: Timestamp
    /// Whether only embedded objects can be places, as in the object API.
    package let placesAreEmbedded: Bool

    package init(
        schema: Schema, defaultClass: String? = nil, arguments: QueryArguments = [:],
        positional: [Value] = [], now: Timestamp, placesAreEmbedded: Bool = false
    ) {
        self.placesAreEmbedded = placesAreEmbedded
        self.schema = schema
        self.defaultClass = defaultClass
        self.arguments = arguments
        self.positional = positional
        self.now = now
    }
}
