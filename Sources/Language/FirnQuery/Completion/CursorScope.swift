import FirnEngine
import FirnSyntax
import FirnValues

/// The meaning of names at the cursor.
struct CursorScope {
    /// Resolves paths the same way as for the complete statement.
    let binder: Binder
    /// The variable that paths start with inside a subquery, without the `$`.
    let variable: String?

    /// Creates a scope, or `nil` if the class of the statement is unknown.
    ///
    /// - Parameter resultClass: the name of the class of an earlier result.
    init?(
        _ record: CursorRecord, _ text: String, in context: BindingContext,
        resultClass: (Source.Kind) -> String?
    ) {
        let name: String?
        switch record.source?.kind {
        case nil: name = context.defaultClass
        case .className(let word):
            let isClass = context.schema.classNamed(word) != nil
            name = isClass ? word : context.defaultClass
        case .lastResult?, .saved?: name = record.source.flatMap { resultClass($0.kind) }
        }
        guard let name, let classSchema = context.schema.classNamed(name) else { return nil }
        var pipeline = PipelineBinder(
            binder: Binder(classSchema: classSchema, context: context, text: text))
        // Only projections and groups define names. Errors in a stage are reported when it runs.
        for stage in record.stages { try? pipeline.append(stage) }
        var binder = pipeline.binder
        var variable: String?
        for subquery in record.enclosing ?? [] {
            guard let element = binder.elementClass(subquery.path) else { return nil }
            binder = binder.inside(subquery.variable, of: element)
            variable = subquery.variable
        }
        self.binder = binder
        self.variable = variable
    }

    /// Returns whether a comparison is valid for some right side.
    ///
    /// - Parameter kinds: the possible right sides.
    func compares(
        _ left: Expression, _ comparison: Comparison.Operator,
        _ right: [Expression] = CursorScope.samples
    ) -> Bool {
        right.contains { sample in
            (try? binder.predicate(
                .comparison(
                    Comparison(
                        left: left, operator: comparison, right: sample, operatorRange: nowhere)
                ))) != nil
        }
    }

    /// Returns whether an expression is a complete condition.
    func isCondition(_ expression: Expression) -> Bool {
        guard case .path(let path) = expression else { return false }
        return (try? binder.predicate(.property(path))) != nil
    }

    /// A value of each kind, and lists of them.
    static let samples: [Expression] = {
        let values: [Value] = [
            .int(1), .double(0.5), .string("x"), .bool(true), .date(Timestamp(seconds: 0)),
            .null, .data([1]), .string("00000000-0000-0000-0000-000000000000"),
            .string("000000000000000000000000"),
        ]
        let literals = values.map { Expression.literal(.value($0), nowhere) }
        return literals + literals.map { .list([$0, $0], nowhere) }
    }()
}

/// The range of expressions that are not in the text.
private let nowhere = SourceRange(0..<0)

extension Binder {
    /// Returns the class of the objects that a path leads to.
    fileprivate func elementClass(_ path: Path) -> ClassSchema? {
        switch try? operand(path) {
        case .many(let elements), .collection(let elements, _):
            elements.type.base == .link
                ? elements.type.target.flatMap { context.schema[$0] } : nil
        default: nil
        }
    }
}

/// A String property whose values can be suggested.
struct TextColumn {
    let owner: ClassSchema
    let property: PropertySchema

    /// Creates the column at the end of the left side of a comparison.
    init?(_ expression: Expression, in binder: Binder) {
        let expression = TextColumn.unquantified(expression)
        guard case .path(let path) = expression, let operand = try? binder.operand(path) else {
            return nil
        }
        switch operand {
        case .single(let computed):
            switch computed.expression {
            case .column(.property(let property)):
                self.init(binder.classSchema, property)
            case .path(let path): self.init(path, binder)
            default: return nil
            }
        case .many(let path): self.init(path, binder)
        default: return nil
        }
    }

    private init?(_ path: BoundPath, _ binder: Binder) {
        guard path.measure == nil, case .column(.property(let property)) = path.terminal else {
            return nil
        }
        self.init(path.steps.last?.target ?? binder.classSchema, property)
    }

    private init?(_ owner: ClassSchema?, _ property: PropertySchema) {
        guard let owner, property.type.base == .string, property.type.container == .single else {
            return nil
        }
        self.owner = owner
        self.property = property
    }

    private static func unquantified(_ expression: Expression) -> Expression {
        if case .quantified(_, let inner, _) = expression { inner } else { expression }
    }
}

extension BoundPath.Step {
    /// The class of the target objects; `nil` if they are of several classes.
    fileprivate var target: ClassSchema? {
        switch self {
        case .link(_, let target), .elements(_, let target), .element(_, _, let target),
            .mapValue(_, _, let target), .backlinks(_, let target):
            target
        case .lookup(let join): join.target
        case .allBacklinks: nil
        }
    }
}
