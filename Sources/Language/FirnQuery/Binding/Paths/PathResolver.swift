import FirnEngine
import FirnSyntax
import FirnValues

/// Follows a path segment by segment.
struct PathResolver {
    /// The current position on the path.
    enum Endpoint {
        case object(ClassSchema)
        /// A property, which the next segment may enter.
        case property(PropertySchema)
        /// All elements of a collection of values.
        case elements(PropertySchema)
        /// Any other value.
        case value(BoundPath.Terminal, PropertyType)
        /// The end: a result such as `@count`, which cannot be followed by another segment.
        case end(Operand, after: String)
    }

    let binder: Binder
    let path: Path
    var steps: [BoundPath.Step] = []
    var endpoint: Endpoint
    /// The reduction, such as `@sum`, once the path has passed it.
    var reduction: (function: BoundExpression.Reduction, range: SourceRange)?
    /// The index of the next segment.
    var index = 0

    init(binder: Binder, path: Path) {
        self.binder = binder
        self.path = path
        endpoint = .object(binder.classSchema)
    }

    /// Begins with the objects of a join, which the first segment names.
    init(binder: Binder, path: Path, following join: BoundJoin) {
        self.init(binder: binder, path: path)
        steps = [.lookup(join)]
        endpoint = .object(join.target)
        index = 1
    }

    mutating func resolve() throws(QueryError) -> Operand {
        while index < path.segments.count {
            let segment = path.segments[index]
            index += 1
            try step(segment)
        }
        return try finish()
    }

    mutating func step(_ segment: Path.Segment) throws(QueryError) {
        switch endpoint {
        case .object(let owner): try stepFromObject(owner, segment)
        case .property(let property):
            if property.type.container == .single {
                try stepFromSingle(property, segment)
            } else {
                try stepFromCollection(property, segment)
            }
        case .elements(let property): try stepFromElements(property, segment)
        case .value(let terminal, let type): try stepFromValue(terminal, type, segment)
        case .end(_, let what):
            throw binder.typeError("nothing can follow \(what)", segment.range)
        }
    }

    /// Returns the class that a link property leads to.
    func target(_ property: PropertySchema) throws(QueryError) -> ClassSchema {
        guard let target = property.type.target.flatMap({ binder.context.schema[$0] }) else {
            throw QueryError(
                .unknownClass, "the class that \"\(property.name)\" links to does not exist",
                at: path.range.bytes)
        }
        return target
    }

    // MARK: Results

    /// Whether there may be several objects at the current position.
    var isMultiple: Bool { steps.contains(where: \.isMultiple) }

    /// Returns a path that ends at a terminal of the current objects.
    func bound(
        _ terminal: BoundPath.Terminal, _ type: PropertyType,
        measure: BoundPath.Measure? = nil
    ) -> BoundPath {
        BoundPath(
            root: binder.classSchema, steps: steps, terminal: terminal, measure: measure,
            type: type,
            name: Canonical.path(steps, terminal, measure),
            display: measure == nil ? terminal.display : nil)
    }

    /// Returns the path as a single value, or as any number of values.
    ///
    /// There are several values if there are several objects, or if the terminal is multi-valued.
    func operand(_ path: BoundPath) -> Operand {
        if path.isMultiple { return .many(path) }
        if path.steps.isEmpty, case .column(let column) = path.terminal {
            return .single(Computed(.column(column)))
        }
        return .single(Computed(.path(path)))
    }

    /// Returns the operand if the path ends at the current position.
    func reached() throws(QueryError) -> Operand {
        switch endpoint {
        case .object(let owner):
            return operand(bound(.object, PropertyType(.link, target: owner.id)))
        case .property(let property) where property.type.container == .single:
            return operand(bound(.column(.property(property)), property.type))
        case .property(let property): return try collection(property)
        case .elements(let property):
            return operand(bound(.elements(property), property.type.element))
        case .value(let terminal, let type): return operand(bound(terminal, type))
        case .end(let operand, _): return operand
        }
    }

    private func collection(_ property: PropertySchema) throws(QueryError) -> Operand {
        let whole = bound(.collection(property), property.type)
        guard property.type.base == .link else {
            return .collection(
                elements: bound(.elements(property), property.type.element), whole: whole)
        }
        var inside = self
        inside.steps.append(.elements(property, try target(property)))
        return .collection(
            elements: inside.bound(.object, property.type.element), whole: whole)
    }

    private func finish() throws(QueryError) -> Operand {
        let operand = try reached()
        guard let reduction else { return operand }
        let values: BoundPath
        switch operand {
        case .many(let path), .collection(let path, _): values = path
        default: return operand
        }
        try check(reduction.function, values, reduction.range)
        return .single(Computed(.reduction(reduction.function, values)))
    }

    /// Throws an error unless the values can be reduced by the function.
    private func check(
        _ function: BoundExpression.Reduction, _ values: BoundPath, _ range: SourceRange
    ) throws(QueryError) {
        let name = function.rawValue
        guard function != .quantile else {
            throw binder.typeError(
                "@quantile takes a value and a share from 0 to 1", range)
        }
        if function == .distinct { return }
        if values.type.base == .link {
            throw binder.typeError(
                "\(name) of objects needs one of their properties", range,
                hint: "such as \(name).\(example(values.type.target))")
        }
        if function.takes(values.type) { return }
        throw binder.typeError(
            "\(name) needs numbers, not the \(binder.typeName(values.type)) values of "
                + "\"\(values.name.shortened)\"", range)
    }

    /// Returns the name of a numeric property of a class.
    private func example(_ target: ClassID?) -> String {
        let number = target.flatMap { binder.context.schema[$0] }?.properties
            .first { $0.type.isNumeric }
        return number.map { Canonical.name($0.name) } ?? "price"
    }
}

extension BoundPath.Terminal {
    /// The display form of the values at their origin.
    var display: DisplayForm? {
        switch self {
        case .column(let column): column.display
        case .elements(let property), .element(let property, _), .mapValue(let property, _),
            .collection(let property):
            property.display
        case .object, .keys, .nested: nil
        }
    }
}
