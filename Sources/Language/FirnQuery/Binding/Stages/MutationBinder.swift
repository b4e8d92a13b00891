import FirnEngine
import FirnValues

extension BoundMutation {
    /// Parses a text that ends in `set` or `delete`, and binds it to the schema of the context.
    ///
    /// - Throws: ``QueryError``, also if the text is a query that changes nothing.
    package init(_ text: String, entry: QueryEntry, in context: BindingContext) throws(QueryError) {
        let statement = try Statement.parse(text, entry: entry)
        try self.init(statement, text: text, in: context)
    }

    /// Binds the tree of a text.
    package init(
        _ statement: Statement, text: String, in context: BindingContext
    ) throws(QueryError) {
        guard let last = statement.stages.last, last.kind.isMutation else {
            throw QueryError(
                .usage, "this changes nothing", at: text.utf8.count..<text.utf8.count,
                hint: "end it with | set ... or | delete")
        }
        let source = try SourceBinder(statement: statement, text: text, context: context).bind()
        var pipeline = PipelineBinder(
            binder: Binder(classSchema: source.classSchema, context: context, text: text))
        for stage in source.stages.dropLast() { try pipeline.append(stage) }
        let stages = pipeline.stages
        let isRead = stages.last.map { $0.isFinal || $0.isProjection } ?? false
        guard !pipeline.explain, !isRead, pipeline.binder.outputs == nil else {
            throw QueryError(
                .usage, "\"\(last.word)\" needs whole objects before it", at: last.range.bytes)
        }
        self.init(
            query: BoundQuery(
                classSchema: source.classSchema, stages: stages, explain: false, text: text),
            change: try MutationBinder(binder: pipeline.binder).bind(last))
    }
}

extension Stage.Kind {
    fileprivate var isMutation: Bool {
        switch self {
        case .set, .delete: true
        default: false
        }
    }
}

extension BoundStage {
    fileprivate var isProjection: Bool {
        if case .project = self { true } else { false }
    }
}

/// Binds `set` and `delete`.
struct MutationBinder {
    let binder: Binder

    func bind(_ stage: Stage) throws(QueryError) -> BoundMutation.Change {
        guard case .set(let assignments) = stage.kind else { return .delete }
        var assigned: [BoundMutation.Assigned] = []
        for assignment in assignments {
            let property = try property(assignment.path)
            if assigned.contains(where: { $0.property.id == property.id }) {
                throw binder.typeError(
                    "\"\(property.name)\" is set twice", assignment.path.range)
            }
            assigned.append(
                BoundMutation.Assigned(
                    property: property,
                    content: try content(property, assignment.expression),
                    range: assignment.expression.range))
        }
        return .set(assigned)
    }

    private func property(_ path: Path) throws(QueryError) -> PropertySchema {
        let path = try binder.expanded(path)
        let owner = binder.classSchema
        guard path.variable == nil, let first = path.segments.first else {
            throw binder.typeError("set needs a property of the object", path.range)
        }
        let name: String
        switch first.kind {
        case .name(let text): name = text
        case .attribute("@id"):
            throw binder.typeError("@id is given once and cannot be set", path.range)
        default: throw binder.typeError("set needs a property of the object", path.range)
        }
        guard let property = owner.propertyNamed(name) else {
            if owner.inverseNamed(name) != nil {
                throw binder.typeError(
                    "\"\(name)\" is an inverse; set the links themselves", path.range)
            }
            let error = binder.unknownProperty(
                name, in: owner, first.range, isFirst: true, isWhole: false)
            guard error.suggestions.isEmpty else { throw error }
            throw error.hinting(
                "add it first: firn alter FILE 'add \(owner.name).\(name.shortened) TYPE'")
        }
        guard path.segments.count == 1 else {
            throw binder.unsupported(
                "set inside of \"\(name.shortened)\"", path.range,
                hint: property.type.target.flatMap { binder.context.schema[$0] }.map {
                    "set the property on the objects of its own class: \($0.name) ... | set ..."
                } ?? "set it as a whole")
        }
        guard property.id != owner.key else {
            throw binder.typeError(
                "\"\(name)\" is the key of \(owner.name) and cannot be set", path.range)
        }
        return property
    }
}
