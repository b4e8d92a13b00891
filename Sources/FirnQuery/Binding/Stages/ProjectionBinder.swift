import FirnEngine
import FirnValues

/// Binds the items of a `project(...)`: columns, or aggregates over all rows.
struct ProjectionBinder {
    /// The result of a projection.
    enum Projected {
        case aggregates([BoundAggregate])
        /// The columns, and the meaning of their names in later stages.
        case columns([BoundProjection], [String: Binder.Alias])
    }

    let binder: Binder

    func bind(_ items: [ProjectionItem]) throws(QueryError) -> Projected {
        var columns: [BoundProjection] = []
        var aliases: [String: Binder.Alias] = [:]
        var aggregates: [BoundAggregate] = []
        var names: Set<String> = []
        for item in items {
            let name: String
            if let aggregate = try aggregate(item) {
                aggregates.append(aggregate)
                name = aggregate.name
            } else {
                let operand: Operand
                do { operand = try binder.operand(item.expression) } catch {
                    throw error.hintingAggregate(item.expression, takesCount: false)
                }
                let projection = try projection(operand, item)
                columns.append(projection)
                name = projection.name
                aliases[name] = try alias(operand, item)
            }
            guard names.insert(name).inserted else {
                throw binder.typeError(
                    "two columns have the name \"\(name.shortened)\"", item.range,
                    hint: "name one of them with AS")
            }
            if !columns.isEmpty, !aggregates.isEmpty {
                throw binder.typeError(
                    "a projection has either properties or values over all rows, not both",
                    item.range)
            }
        }
        return aggregates.isEmpty ? .columns(columns, aliases) : .aggregates(aggregates)
    }

    private func alias(
        _ operand: Operand, _ item: ProjectionItem
    ) throws(QueryError) -> Binder.Alias {
        guard case .path(let path) = item.expression else {
            return Binder.Alias(operand: operand, path: nil)
        }
        return Binder.Alias(operand: operand, path: try binder.unaliased(path))
    }

    /// Returns one column.
    ///
    /// A collection is delivered as a whole, and a mapped path as a list.
    private func projection(
        _ operand: Operand, _ item: ProjectionItem
    ) throws(QueryError) -> BoundProjection {
        let expression: BoundExpression
        switch operand {
        case .single(let computed): expression = computed.expression
        case .constant(let value): expression = .constant(value)
        case .number:
            expression = .constant(try binder.value(operand, item.expression.range))
        case .many(let path): expression = .mapped(path)
        case .collection(let elements, let whole):
            expression = whole.isMultiple ? .mapped(elements) : .path(whole)
        case .duration, .list, .object:
            throw binder.typeError(
                "a column cannot be \(binder.describe(operand))", item.expression.range)
        }
        return BoundProjection(
            expression, name: item.alias ?? binder.name(of: item.expression, expression),
            type: expression.type,
            display: expression.display)
    }

    // MARK: Aggregates

    /// Binds `@count`, `@sum.path` or another aggregate; `nil` if the item is not an aggregate.
    func aggregate(_ item: ProjectionItem) throws(QueryError) -> BoundAggregate? {
        guard case .path(let path) = item.expression, path.variable == nil,
            case .attribute(let attribute)? = path.segments.first?.kind,
            let function = BoundAggregate.Function(
                rawValue: attribute == "@size" ? "@count" : attribute),
            !binder.isOutput(path)
        else { return nil }
        let value = try value(function, path)
        return BoundAggregate(
            function: function, expression: value?.expression, valueType: value?.type,
            valueDisplay: value?.expression.display,
            name: item.alias ?? name(function, path, value?.expression))
    }

    /// Returns the name of an aggregate without an alias.
    private func name(
        _ function: BoundAggregate.Function, _ path: Path, _ expression: BoundExpression?
    ) -> String {
        binder.aliasedName(path.segments.dropFirst()).map { "\(function.rawValue).\($0)" }
            ?? BoundAggregate.defaultName(function, expression)
    }

    /// Returns the operand of an aggregate; `nil` for `@count` over all rows.
    private func value(
        _ function: BoundAggregate.Function, _ path: Path
    ) throws(QueryError) -> Computed? {
        let rest = Array(path.segments.dropFirst())
        guard let first = rest.first, let last = rest.last else {
            if function == .count { return nil }
            throw binder.typeError(
                "\(function.rawValue) needs a property", path.range,
                hint: "such as \(function.rawValue).\(example)")
        }
        let operand = try binder.operand(
            Path(segments: rest, range: first.range.to(last.range)))
        guard case .single(let value) = operand else {
            throw binder.typeError(
                "\(function.rawValue) needs one value for each object, not "
                    + binder.describe(operand), path.range)
        }
        switch function {
        case .sum, .average:
            if value.type.isNumeric { return value }
            throw binder.typeError(
                "\(function.rawValue) needs a number, not \(binder.describe(value))", path.range)
        case .minimum, .maximum:
            if value.type.base != .link { return value }
            throw binder.typeError(
                "\(function.rawValue) needs values with an order, not \(binder.describe(value))",
                path.range)
        case .count: return value
        }
    }

    /// The name of a property that the aggregate accepts.
    private var example: String {
        let numeric = binder.classSchema.properties.first { $0.type.isNumeric }
        return numeric.map { Canonical.name($0.name) } ?? "price"
    }
}

extension Binder {
    /// Returns the name of a column without an alias.
    ///
    /// A name defined by a projection is kept.
    func name(of expression: Expression, _ bound: BoundExpression) -> String {
        guard case .path(let path) = expression, path.variable == nil,
            let name = aliasedName(path.segments[...])
        else { return bound.defaultName }
        return name
    }

    /// Returns a path as written, if it begins with a name defined by a projection; otherwise
    /// `nil`.
    fileprivate func aliasedName(_ segments: ArraySlice<Path.Segment>) -> String? {
        guard case .name(let name)? = segments.first?.kind, aliases[name] != nil,
            segments.allSatisfy(\.isName)
        else { return nil }
        return segments.map(\.outputText).joined(separator: ".")
    }
}
