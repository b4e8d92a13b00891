import FirnEngine
import FirnSyntax
import FirnValues

/// Binds the items of a `project(...)`: columns, or aggregates over all rows.
struct ProjectionBinder {
    /// The result of a projection.
    enum Projected {
        case aggregates([BoundAggregate])
        /// The columns, and the meaning of their names in later stages.
        case columns([BoundProjection], TextMap<Binder.Alias>)
        /// Columns over all rows, treated as one group.
        case group(GroupBinder.Group)
        /// Columns with values of other rows.
        case windows(WindowBinder.Windows)
    }

    let binder: Binder

    func bind(_ items: [ProjectionItem]) throws(QueryError) -> Projected {
        guard !items.contains(where: { binder.containsAggregate($0.expression) }) else {
            guard !binder.hasWindow(among: items.map(\.expression)) else {
                return .windows(try WindowBinder(binder: binder).bind(items))
            }
            return try aggregates(items)
        }
        var columns: [BoundProjection] = []
        var aliases: TextMap<Binder.Alias> = [:]
        var names: TextSet = []
        for item in items {
            let operand: Operand
            do { operand = try binder.operand(item.expression) } catch {
                throw error.hintingAggregate(item.expression, takesCount: false)
            }
            let projection = try projection(operand, item)
            columns.append(projection)
            aliases[projection.name] = try alias(operand, item)
            guard names.insert(projection.name).inserted else {
                throw binder.typeError(
                    "two columns have the name \"\(projection.name.shortened)\"", item.range,
                    hint: "name one of them with AS")
            }
        }
        return .columns(columns, aliases)
    }

    /// Binds items over all rows, which are a group without keys if values are computed from them.
    private func aggregates(_ items: [ProjectionItem]) throws(QueryError) -> Projected {
        let group = try GroupBinder(binder: binder).bind([], items)
        guard group.projection == nil else { return .group(group) }
        var aggregates: [BoundAggregate] = []
        for case .aggregate(let aggregate) in group.items { aggregates.append(aggregate) }
        // A sort before the projection determines the first and the last value.
        return aggregates.contains { $0.function.isOrdered }
            ? .group(group) : .aggregates(aggregates)
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
        case .duration, .list, .object, .elements:
            throw binder.typeError(
                "a column cannot be \(binder.describe(operand))", item.expression.range)
        }
        return BoundProjection(
            expression, name: item.alias ?? binder.name(of: item.expression, expression),
            type: expression.type,
            display: expression.display)
    }
}

extension Binder {
    /// Returns the name of a column without an alias.
    ///
    /// A name defined by a projection is kept.
    func name(of expression: Expression, _ bound: BoundExpression) -> String {
        guard case .path(let path) = expression, path.variable == nil,
            let name = aliasedName(path)
        else { return bound.defaultName }
        return name
    }
}
