import FirnEngine
import FirnValues

/// Resolves names and types of one class.
struct Binder {
    /// The class whose objects the paths start from.
    let classSchema: ClassSchema
    let context: BindingContext
    let text: String
    /// The variable of the subquery that this is inside of, without the `$`.
    private(set) var variable: String?
    /// The variables of the subqueries around it, outermost first.
    private(set) var outerVariables: [String] = []
    /// What a projection called its columns: names that stand before properties.
    var aliases: [String: Alias] = [:]
    /// The columns of the result of a `group`, which are all there is behind it.
    var outputs: [BoundColumn]?

    /// A name that a projection gave.
    struct Alias {
        let operand: Operand
        /// The path it is, which can be continued.
        let path: Path?
    }

    init(classSchema: ClassSchema, context: BindingContext, text: String) {
        self.classSchema = classSchema
        self.context = context
        self.text = text
    }

    /// The binder of the condition of a subquery inside of this.
    func inside(_ variable: String, of element: ClassSchema) -> Binder {
        var inner = Binder(classSchema: element, context: context, text: text)
        inner.variable = variable
        inner.outerVariables = variables
        return inner
    }

    /// The variables that are taken, outermost first.
    var variables: [String] { outerVariables + (variable.map { [$0] } ?? []) }

    /// The text of a range.
    func typed(_ range: SourceRange) -> String {
        String(
            decoding: text.utf8.dropFirst(range.bytes.lowerBound).prefix(range.bytes.count),
            as: UTF8.self)
    }

    /// The error for something that the language has and this version cannot run.
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
