import FirnEngine
import FirnValues

extension BoundMutation {
    /// Reads a text that ends in `set` or `delete` and binds it to the schema of the context.
    ///
    /// - Throws: ``QueryError`` also if the text only reads.
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
        let source = try SourceBinder(statement: statement, context: context).bind()
        var pipeline = PipelineBinder(
            binder: Binder(classSchema: source.classSchema, context: context, text: text))
        for stage in source.stages.dropLast() { try pipeline.append(stage) }
        let stages = pipeline.stages
        let isRead = stages.last.map { $0.deliversOneRow || $0.isProjection } ?? false
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
            throw binder.unknownProperty(
                name, in: owner, first.range, isFirst: true, isWhole: false)
        }
        guard path.segments.count == 1 else {
            throw binder.unsupported(
                "set inside of \"\(name.shortened)\"", path.range,
                hint: property.type.base == .link
                    ? "set the property on the objects of its own class" : "set it as a whole")
        }
        guard property.id != owner.key else {
            throw binder.typeError(
                "\"\(name)\" is the key of \(owner.name) and cannot be set", path.range)
        }
        return property
    }

    // MARK: Values

    private func content(
        _ property: PropertySchema, _ expression: Expression
    ) throws(QueryError) -> BoundMutation.Content {
        let operand = try binder.operand(expression)
        let range = expression.range
        if property.type.container != .single {
            return try collection(property, operand, range)
        }
        switch operand {
        case .constant(let value): return .expression(.constant(try fitted(value, property, range)))
        case .object(let target, let key):
            guard property.type.base == .link, property.type.target == target.id else {
                throw mismatch(property, binder.describe(operand), range)
            }
            guard !target.isEmbedded else { throw embedded(property, range) }
            return .object(target, key: key)
        case .list(let elements) where property.type.base == .any:
            return .expression(.constant(.list(try binder.plainValues(elements))))
        case .single(let computed):
            try check(computed.type, property, binder.describe(computed), range)
            return .expression(computed.expression)
        case .duration, .list, .many, .collection:
            throw mismatch(property, binder.describe(operand), range)
        }
    }

    /// A whole collection.
    private func collection(
        _ property: PropertySchema, _ operand: Operand, _ range: SourceRange
    ) throws(QueryError) -> BoundMutation.Content {
        switch operand {
        case .list(let elements): return try elementsContent(property, elements, range)
        case .collection(_, let whole)
        where whole.type.container == property.type.container && !whole.isMultiple:
            try check(whole.type.element, property, binder.describe(operand), range)
            return .expression(.path(whole))
        default:
            throw mismatch(
                property, binder.describe(operand), range,
                hint: property.type.container == .map ? nil : "such as {1, 2}")
        }
    }

    private func elementsContent(
        _ property: PropertySchema, _ elements: [ListElement], _ range: SourceRange
    ) throws(QueryError) -> BoundMutation.Content {
        if property.type.container == .map {
            guard elements.isEmpty else {
                throw mismatch(property, "a list", range, hint: "{} empties it")
            }
            return .expression(.constant(.map([:])))
        }
        var values: [Value] = []
        var keys: [Value] = []
        var target: ClassSchema?
        for element in elements {
            switch element.operand {
            case .object(let object, let key)
            where property.type.base == .link && property.type.target == object.id:
                guard !object.isEmbedded else { throw embedded(property, element.range) }
                target = object
                keys.append(key)
            case .constant(let value) where value != .null || property.type.isOptional:
                values.append(try fitted(value, property, element.range))
            default:
                throw mismatch(property, binder.describe(element.operand), element.range)
            }
        }
        if let target {
            guard values.isEmpty else {
                throw binder.typeError("either obj(...) or values, not both", range)
            }
            return .objects(target, keys: keys)
        }
        return .expression(
            .constant(property.type.container == .set ? .set(values.asSet) : .list(values)))
    }

    /// A constant as a value of the property.
    private func fitted(
        _ value: Value, _ property: PropertySchema, _ range: SourceRange
    ) throws(QueryError) -> Value {
        let type = property.type
        switch (type.base, value) {
        case (_, .null):
            guard type.isOptional || type.base == .any || type.base == .link else {
                throw binder.typeError("\"\(property.name)\" cannot be nil", range)
            }
            return .null
        case (.int, .int(let number)):
            guard type.integerWidth.range.contains(number) else {
                throw binder.typeError(
                    "\(number) is out of range for the \(type.integerWidth.typeName) property "
                        + "\"\(property.name)\"", range)
            }
            return value
        case (.double, .int(let number)):
            if let exact = Double(exactly: number) { return .double(exact) }
        case (.float, .int(let number)):
            if let exact = Float(exactly: number) { return .float(exact) }
        case (.float, .double(let number)):
            let rounded = Float(number)
            if rounded.isFinite || !number.isFinite { return .float(rounded) }
        case (.decimal128, .int(let number)): return .decimal128(Decimal128(number))
        case (.decimal128, .double(let number)):
            if let decimal = Decimal128(number.description) { return .decimal128(decimal) }
        case (.link, .link(let reference)):
            if type.target == reference.classID, !isEmbedded(property) { return value }
        case (.any, _), (.bool, .bool), (.double, .double), (.string, .string), (.data, .data),
            (.date, .date), (.decimal128, .decimal128), (.objectID, .objectID), (.uuid, .uuid):
            return value
        case (_, .string(let text)):
            if let spelled = Binder.spelled(text, type.base) { return spelled }
        default: break
        }
        throw mismatch(property, binder.describe(.constant(value)), range)
    }

    private func isEmbedded(_ property: PropertySchema) -> Bool {
        property.type.target.flatMap { binder.context.schema[$0] }?.isEmbedded ?? false
    }

    /// Whether computed values of a type can be stored; numbers must not lose their fraction.
    private func check(
        _ type: PropertyType, _ property: PropertySchema, _ described: String,
        _ range: SourceRange
    ) throws(QueryError) {
        if property.type.base == .link, isEmbedded(property) { throw embedded(property, range) }
        let isSame = type.base == property.type.base && type.target == property.type.target
        let isWider: Bool =
            switch property.type.base {
            case .double: type.base == .int || type.base == .float
            case .float: type.base == .double || type.base == .int
            case .decimal128: type.base == .int
            case .any: type.base != .link
            default: false
            }
        guard !isSame, !isWider else { return }
        throw mismatch(property, described, range)
    }

    private func embedded(_ property: PropertySchema, _ range: SourceRange) -> QueryError {
        binder.unsupported(
            "set of the embedded object \"\(property.name)\" to another", range,
            hint: "nil removes it")
    }

    private func mismatch(
        _ property: PropertySchema, _ described: String, _ range: SourceRange,
        hint: String? = nil
    ) -> QueryError {
        let type = binder.context.schema.typeName(property.type)
        return binder.typeError(
            "the \(type) property \"\(property.name)\" cannot be set to \(described)", range,
            hint: hint)
    }
}
