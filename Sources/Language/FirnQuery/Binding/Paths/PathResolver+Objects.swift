import FirnEngine
import FirnSyntax
import FirnValues

extension PathResolver {
    mutating func stepFromObject(
        _ owner: ClassSchema, _ segment: Path.Segment
    ) throws(QueryError) {
        switch segment.kind {
        case .name(let name): try enter(name, of: owner, segment)
        case .attribute("@id"): endpoint = .value(.column(.rowID), PropertyType(.int))
        case .attribute("@links"): try followLinks(to: owner, segment)
        case .attribute("@type") where !steps.isEmpty || path.variable != nil:
            try takeTypeName(segment)
        case .attribute(let name):
            if let function = BoundExpression.Reduction(attribute: name), isMultiple {
                return try reduce(by: function, name, segment)
            }
            throw unknownAttribute(name, of: owner, segment.range)
        case .index, .placeholder:
            throw binder.typeError("an object has no elements", segment.range)
        }
    }

    private mutating func enter(
        _ name: String, of owner: ClassSchema, _ segment: Path.Segment
    ) throws(QueryError) {
        if let property = owner.propertyNamed(name) {
            endpoint = .property(property)
        } else if let inverse = owner.inverseNamed(name),
            let source = binder.context.schema[inverse.sourceClass],
            let property = source[inverse.sourceProperty]
        {
            steps.append(.backlinks(property, of: source))
            endpoint = .object(source)
        } else {
            throw binder.unknownProperty(
                name, in: owner, segment.range, isFirst: index == 1 && path.variable == nil,
                isWhole: path.segments.count == 1)
        }
    }

    /// Follows `@links.Class.property` or `@links.@count`.
    private mutating func followLinks(
        to target: ClassSchema, _ segment: Path.Segment
    ) throws(QueryError) {
        let incoming = binder.context.schema.incoming(to: target.id)
        let next = path.segments.dropFirst(index).prefix(2)
        if let first = next.first, case .attribute(let name) = first.kind,
            ["@count", "@size"].contains(name)
        {
            steps.append(.allBacklinks)
            index += 1
            endpoint = .object(target)
            return try reduce(by: .count, name, first)
        }
        guard let first = next.first, let last = next.last, next.count == 2,
            case .name(let className) = first.kind, case .name(let name) = last.kind
        else {
            let example = incoming.first.map {
                "@links.\(Canonical.name($0.source.name)).\(Canonical.name($0.property.name))"
            }
            throw binder.typeError(
                "@links needs a class and its property", segment.range,
                hint: "such as \(example ?? "@links.@count")")
        }
        index += 2
        guard let source = binder.context.schema.classNamed(className) else {
            throw binder.unknownClass(className, first.range)
        }
        guard let property = source.propertyNamed(name) else {
            throw binder.unknownProperty(
                name, in: source, last.range, isFirst: false, isWhole: false)
        }
        guard property.type.base == .link, property.type.target == target.id else {
            let links = incoming.map { "\($0.source.name).\($0.property.name)" }
            throw QueryError(
                .type,
                "\(source.name).\(name.shortened) does not link to \(target.name)",
                at: last.range.bytes,
                notes: links.isEmpty ? [] : ["links: " + links.joined(separator: " · ")])
        }
        steps.append(.backlinks(property, of: source))
        endpoint = .object(source)
    }

    private func unknownAttribute(
        _ name: String, of owner: ClassSchema, _ range: SourceRange
    ) -> QueryError {
        switch name {
        case _ where BoundExpression.Reduction(attribute: name) != nil:
            if steps.isEmpty, path.variable == nil {
                return binder.typeError(
                    "\(name) stands for all rows only as an item of project", range,
                    hint: "such as | project(@count)")
            }
            return binder.typeError(
                "\(name) needs a collection, not a single \(owner.name)", range)
        case "@type", "@keys", "@values":
            return binder.typeError("\(name) does not apply to an object", range)
        default:
            return QueryError(
                .unknownProperty, "unknown attribute \(name.shortened)", at: range.bytes,
                hint: "every object has @id")
        }
    }

    // MARK: Attributes of any values

    /// Applies `@sum`, `@count` or another reduction to the current values.
    mutating func reduce(
        by function: BoundExpression.Reduction, _ name: String, _ segment: Path.Segment
    ) throws(QueryError) {
        guard reduction == nil else {
            throw binder.typeError("a path has one of @count, @sum and the like", segment.range)
        }
        guard function == .count else {
            reduction = (function, segment.range)
            return
        }
        let counted: BoundPath
        switch try reached() {
        case .many(let path): counted = path
        case .collection(_, let whole): counted = whole
        case .single(let computed): counted = try single(computed, name, segment)
        default: throw binder.typeError("\(name) does not apply here", segment.range)
        }
        endpoint = .end(.single(Computed(.reduction(.count, counted))), after: name)
    }

    /// Returns a single value as a path, if its size can be computed.
    private func single(
        _ computed: Computed, _ name: String, _ segment: Path.Segment
    ) throws(QueryError) -> BoundPath {
        switch computed.type.base {
        case .string, .data, .any:
            switch computed.expression {
            case .column(let column): return bound(.column(column), column.type)
            case .path(let path): return path
            default: break
            }
        default: break
        }
        throw binder.typeError(
            "\(name) does not apply to \(binder.describe(computed))", segment.range)
    }

    /// Replaces the values by their type names: `@type`.
    mutating func takeTypeName(_ segment: Path.Segment) throws(QueryError) {
        guard reduction == nil else {
            throw binder.typeError("nothing can be computed of @type", segment.range)
        }
        switch try reached() {
        case .many(let path), .collection(let path, _):
            guard path.measure == nil else { break }
            endpoint = .end(measured(path, .typeName), after: "@type")
            return
        case .single(let computed):
            switch computed.expression {
            case .column(let column):
                endpoint = .end(
                    .single(Computed(.typeName(bound(.column(column), column.type)))),
                    after: "@type")
                return
            case .path(let path):
                endpoint = .end(.single(Computed(.typeName(path))), after: "@type")
                return
            default: break
            }
        default: break
        }
        throw binder.typeError("@type does not apply here", segment.range)
    }

    /// Replaces strings and data by their `length`.
    mutating func takeLength(_ segment: Path.Segment) throws(QueryError) {
        guard reduction == nil else {
            throw binder.typeError(
                "length cannot follow @max and the like", segment.range)
        }
        switch try reached() {
        case .many(let path), .collection(let path, _):
            endpoint = .end(measured(path, .length), after: "length")
        default: try reduce(by: .count, "length", segment)
        }
    }

    private func measured(_ path: BoundPath, _ measure: BoundPath.Measure) -> Operand {
        .many(
            BoundPath(
                root: path.root, steps: path.steps, terminal: path.terminal, measure: measure,
                type: PropertyType(
                    measure == .length ? .int : .string,
                    isOptional: measure == .length && path.type.isOptional),
                name: Canonical.path(path.steps, path.terminal, measure)))
    }
}

extension BoundExpression.Reduction {
    /// Creates a reduction from an attribute.
    ///
    /// `@size` is the same as `@count`.
    init?(attribute: String) {
        self.init(rawValue: attribute == "@size" ? "@count" : attribute)
    }
}
