import FirnEngine
import FirnValues

/// Binds the items of a `project(...)`: columns, or values over all rows.
struct ProjectionBinder {
    let binder: Binder

    func bind(_ items: [ProjectionItem]) throws(QueryError) -> BoundStage {
        var columns: [BoundProjection] = []
        var aggregates: [BoundAggregate] = []
        var names: Set<String> = []
        for item in items {
            let name: String
            if let aggregate = try aggregate(item) {
                aggregates.append(aggregate)
                name = aggregate.name
            } else {
                let projection = try projection(item)
                columns.append(projection)
                name = projection.name
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
        return aggregates.isEmpty ? .project(columns) : .aggregate(aggregates)
    }

    private func projection(_ item: ProjectionItem) throws(QueryError) -> BoundProjection {
        guard case .path(let path) = item.expression else {
            throw binder.unsupported("a computed column", item.expression.range)
        }
        let column = try binder.column(path)
        return BoundProjection(column: column, name: item.alias ?? column.name)
    }

    /// `@count`, or `@sum.path` and the like; nil if the item is something else.
    private func aggregate(_ item: ProjectionItem) throws(QueryError) -> BoundAggregate? {
        guard case .path(let path) = item.expression, path.variable == nil,
            case .attribute(let attribute) = path.segments[0].kind,
            let function = BoundAggregate.Function(rawValue: attribute)
        else { return nil }
        guard let column = try column(function, path) else {
            return BoundAggregate(function: function, column: nil, name: item.alias ?? attribute)
        }
        return BoundAggregate(
            function: function, column: column,
            name: item.alias ?? "\(attribute).\(column.name)")
    }

    /// The column that an aggregate goes through; nil for `@count` over all rows.
    private func column(
        _ function: BoundAggregate.Function, _ path: Path
    ) throws(QueryError) -> BoundColumn? {
        let rest = Array(path.segments.dropFirst())
        guard let first = rest.first, let last = rest.last else {
            if function == .count { return nil }
            throw binder.typeError(
                "\(function.rawValue) needs a property", path.range,
                hint: "such as \(function.rawValue).\(example(for: function))")
        }
        let column = try binder.column(Path(segments: rest, range: first.range.to(last.range)))
        if function == .sum || function == .average, !column.isNumeric {
            throw binder.typeError(
                "\(function.rawValue) needs a number, not \(binder.describe(column))", path.range)
        }
        return column
    }

    /// The name of a property that the aggregate could go through.
    private func example(for function: BoundAggregate.Function) -> String {
        let numeric = binder.classSchema.properties.first { property in
            [.int, .double].contains(property.type.base) && property.type.container == .single
        }
        return numeric.map { Canonical.name($0.name) } ?? "price"
    }
}
