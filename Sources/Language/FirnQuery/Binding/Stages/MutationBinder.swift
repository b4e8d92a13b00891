import FirnEngine
package import FirnSyntax
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
            let place = try place(assignment.path)
            if assigned.contains(where: { $0.place.overlaps(place) }) {
                throw binder.typeError(
                    "\"\(place.name.shortened)\" is set twice", assignment.path.range)
            }
            let content = try content(place.value, assignment.expression)
            if place.needsObject, content == .expression(.constant(.null)) {
                throw binder.typeError(
                    "\"\(place.name.shortened)\" cannot be nil", assignment.expression.range)
            }
            assigned.append(
                BoundMutation.Assigned(
                    place: place, content: content, range: assignment.expression.range))
        }
        return .set(assigned)
    }

    private func place(_ path: Path) throws(QueryError) -> BoundMutation.Place {
        let path = try binder.expanded(path)
        let first = try firstProperty(path)
        let owner = binder.classSchema
        guard path.segments.count > 1 else {
            guard first.id != owner.key else {
                throw binder.typeError(
                    "\"\(first.name)\" is the key of \(owner.name) and cannot be set", path.range)
            }
            return BoundMutation.Place(first, of: owner, range: path.range)
        }
        let operand = try binder.operand(path)
        guard let place = try innerPlace(path, operand) else {
            var hint: String?
            if case .single(let computed) = operand, case .path(let found) = computed.expression,
                case .link(_, let target)? = found.steps.last, !target.isEmbedded
            {
                hint =
                    "set the property on the objects of its own class: \(target.name) ... | set ..."
            }
            throw binder.unsupported(
                "set inside of \"\(first.name.shortened)\"", path.range,
                hint: hint ?? "set it as a whole")
        }
        return place
    }

    /// Returns the place at the end of a path through embedded objects; `nil` if an assignment cannot
    /// change it.
    private func innerPlace(
        _ path: Path, _ operand: Operand
    ) throws(QueryError) -> BoundMutation.Place? {
        let whole: BoundPath
        switch operand {
        case .single(let computed):
            guard case .path(let found) = computed.expression else { return nil }
            whole = found
        case .collection(_, let found): whole = found
        default: return nil
        }
        guard whole.measure == nil else { return nil }
        var steps = whole.steps
        let property: PropertySchema
        var element: BoundMutation.Place.Element?
        switch (whole.terminal, steps.last) {
        case (.column(.property(let found)), _), (.collection(let found), _): property = found
        case (.mapValue(let map, let key), _), (.object, .mapValue(let map, let key, _)?):
            let steps = Array(steps.dropLast(whole.terminal == .object ? 1 : 0))
            let entries = BoundPath(
                root: binder.classSchema, steps: steps, terminal: .collection(map), type: map.type,
                name: Canonical.path(steps, .collection(map), nil))
            (property, element) = (map, .key(key, map: .path(entries)))
        case (.element(let list, .index(let position)), _),
            (.object, .element(let list, .index(let position), _)?):
            guard position >= 0 else { return nil }
            (property, element) = (list, .position(position, count: try count(of: path)))
        default: return nil
        }
        if case .object = whole.terminal { steps.removeLast() }
        guard let owner = owner(behind: steps) else { return nil }
        let ownerPath =
            steps.isEmpty
            ? nil
            : BoundPath(
                root: binder.classSchema, steps: steps, terminal: .object,
                type: PropertyType(.link, isOptional: true, target: owner.id),
                name: Canonical.path(steps, .object, nil))
        return BoundMutation.Place(
            owner: ownerPath, ownerClass: owner, property: property, element: element,
            current: .path(whole), range: path.range)
    }

    /// Returns the class of the single embedded object after some steps; `nil` for other objects,
    /// which several objects may share.
    private func owner(behind steps: [BoundPath.Step]) -> ClassSchema? {
        var owner = binder.classSchema
        for step in steps {
            switch step {
            case .link(_, let target), .element(_, _, let target), .mapValue(_, _, let target):
                guard target.isEmbedded else { return nil }
                owner = target
            case .elements, .backlinks, .allBacklinks, .lookup: return nil
            }
        }
        return owner
    }

    /// Returns the number of elements of the list in whose element a path ends.
    private func count(of path: Path) throws(QueryError) -> BoundExpression {
        let list = Path(
            segments: path.segments.dropLast() + [
                Path.Segment(.attribute("@count"), range: path.range)
            ], range: path.range)
        guard case .single(let count) = try binder.operand(list) else {
            preconditionFailure("a single list has one number of elements")
        }
        return count.expression
    }

    /// Returns the property at the start of a path.
    private func firstProperty(_ path: Path) throws(QueryError) -> PropertySchema {
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
        if let property = owner.propertyNamed(name) { return property }
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
}
