import FirnCodec
import FirnEngine
import FirnSyntax
import FirnValues

extension Binder {
    /// Returns the key of the objects that a subject leads to, or their id if the class has no key
    /// property.
    func keySubject(
        _ subject: Subject, _ target: ClassSchema?, _ key: PropertySchema?,
        _ operation: ComparisonOperator, _ range: SourceRange
    ) throws(QueryError) -> Subject {
        if subject.type.base == .any, let target, let key {
            return try anySubject(subject, target, key, operation, range)
        }
        guard subject.type.base == .link, let target, subject.type.target == target.id else {
            throw typeError(
                "cannot compare \(describe(subject)) with a \(target?.name ?? "link")", range)
        }
        guard operation == .equal || operation == .notEqual else {
            throw typeError("objects can only be compared with == and !=", range)
        }
        let column = key.map { BoundColumn.property($0) } ?? .rowID
        switch subject {
        case .many(let quantifier, let path):
            return .many(quantifier, try extended(path, target, column, range))
        case .single(let computed):
            switch computed.expression {
            case .column(.property(let property)):
                return .single(path([.link(property, target)], column))
            case .path(let path):
                let path = try extended(path, target, column, range)
                if path.steps.isEmpty { return .single(Computed(.column(column))) }
                return .single(Computed(.path(path)))
            default:
                throw typeError("cannot compare \(describe(computed)) with an object", range)
            }
        }
    }

    /// Returns the keys of the objects of a class that the links inside an Any lead to.
    private func anySubject(
        _ subject: Subject, _ target: ClassSchema, _ key: PropertySchema,
        _ operation: ComparisonOperator, _ range: SourceRange
    ) throws(QueryError) -> Subject {
        guard operation == .equal || operation == .notEqual else {
            throw typeError("objects can only be compared with == and !=", range)
        }
        func extended(
            _ steps: [BoundPath.Step], _ property: PropertySchema, _ inner: [BoundPath.Inner]
        ) -> BoundPath {
            let terminal = BoundPath.Terminal.nested(property, inner + [.objectKey(target, key)])
            return BoundPath(
                root: classSchema, steps: steps, terminal: terminal,
                type: PropertyType(key.type.base, isOptional: true),
                name: Canonical.path(steps, terminal, nil))
        }
        func extended(_ path: BoundPath) throws(QueryError) -> BoundPath {
            switch path.terminal {
            case .column(.property(let property)): return extended(path.steps, property, [])
            case .elements(let property): return extended(path.steps, property, [.all])
            case .element(let property, let position):
                return extended(path.steps, property, [position.inner])
            case .mapValue(let property, let key):
                return extended(path.steps, property, [.key(key)])
            case .nested(let property, let inner):
                return extended(path.steps, property, inner)
            case .column, .object, .keys, .collection:
                throw typeError("these are not objects", range)
            }
        }
        switch subject {
        case .many(let quantifier, let path): return .many(quantifier, try extended(path))
        case .single(let computed):
            switch computed.expression {
            case .column(.property(let property)):
                return .single(Computed(.path(extended([], property, []))))
            case .path(let path): return .single(Computed(.path(try extended(path))))
            default:
                throw typeError("cannot compare \(describe(computed)) with an object", range)
            }
        }
    }

    /// Returns an argument compared with a link as the object with this key.
    func objectArgument(
        _ element: ListElement, for type: PropertyType
    ) throws(QueryError) -> ListElement {
        guard type.base == .link, typed(element.range).hasPrefix("$"), element.isValue,
            let target = type.target.flatMap({ context.schema[$0] }), let key = target.keyProperty
        else { return element }
        let value = try constant(element, for: key.type)
        switch value {
        case .null, .link: return element
        default:
            let computed = Computed(.column(.property(key)))
            return ListElement(
                operand: .object(
                    BoundObject(
                        target: target, property: key,
                        value: try converted(value, for: computed, element.range))),
                range: element.range)
        }
    }

    private func path(_ steps: [BoundPath.Step], _ column: BoundColumn) -> Computed {
        Computed(
            .path(
                BoundPath(
                    root: classSchema, steps: steps, terminal: .column(column),
                    type: column.type, name: Canonical.path(steps, .column(column), nil),
                    display: column.display)))
    }

    /// Extends a path that leads to links with a column of the linked objects.
    private func extended(
        _ path: BoundPath, _ target: ClassSchema, _ column: BoundColumn, _ range: SourceRange
    ) throws(QueryError) -> BoundPath {
        var steps = path.steps
        switch path.terminal {
        case .object: break
        case .column(.property(let property)): steps.append(.link(property, target))
        default: throw typeError("these are not objects", range)
        }
        return BoundPath(
            root: path.root, steps: steps, terminal: .column(column), type: column.type,
            name: Canonical.path(steps, .column(column), nil), display: column.display)
    }

    /// Compares both sides by their ids, if one side is the element of a subquery.
    ///
    /// No property leads to such an element.
    func identified(
        _ left: Subject, _ right: Subject, _ operation: ComparisonOperator, _ range: SourceRange
    ) throws(QueryError) -> (Subject, Subject) {
        guard left.isSelf || right.isSelf else { return (left, right) }
        return (
            try keySubject(left, classSchema, nil, operation, range),
            try keySubject(right, classSchema, nil, operation, range)
        )
    }
}

extension Subject {
    /// Whether this is the object itself: the variable of a subquery.
    var isSelf: Bool {
        guard case .single(let computed) = self, case .path(let path) = computed.expression,
            case .object = path.terminal
        else { return false }
        return path.steps.isEmpty
    }
}
