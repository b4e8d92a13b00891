import FirnCodec
import FirnEngine
import FirnValues

extension Binder {
    /// Returns the key of the objects that a subject leads to, or their id if the class has no key
    /// property.
    func keySubject(
        _ subject: Subject, _ target: ClassSchema?, _ key: PropertySchema?,
        _ operation: ComparisonOperator, _ range: SourceRange
    ) throws(QueryError) -> Subject {
        guard subject.type.base == .link, let target, subject.type.target == target.id else {
            if subject.type.base == .any {
                throw unsupported("obj against an Any", range)
            }
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
        default: throw typeError("these are no objects", range)
        }
        return BoundPath(
            root: path.root, steps: steps, terminal: .column(column), type: column.type,
            name: Canonical.path(steps, .column(column), nil), display: column.display)
    }

    /// Compares both sides by their ids if one is the element of a subquery.
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
