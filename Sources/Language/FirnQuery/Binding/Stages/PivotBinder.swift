import FirnCodec
import FirnEngine
import FirnSyntax
import FirnValues

/// Binds `pivot(column)`, which turns the groups of the preceding stage into columns.
struct PivotBinder {
    /// Binds names to the columns of the group.
    let binder: Binder
    /// The columns of the preceding stage.
    let columns: [BoundProjection]
    /// The items of the group.
    let items: [BoundGroupItem]

    /// - Parameters:
    ///   - values: the values in the order of their columns; `nil` for all values.
    func bind(_ item: ProjectionItem, values: [Value]?) throws(QueryError) -> BoundPivot {
        let name = try name(item)
        let column = columns.firstIndex { $0.name == name }
        guard let column, key(columns[column]) else {
            let keys = columns.filter(key).map { "\"\($0.name.shortened)\"" }
            throw binder.typeError(
                "pivot needs a key of the group", item.range,
                hint: keys.isEmpty
                    ? "such as pivot(city; year; @count)"
                    : "the keys are \(keys.joined(separator: ", "))")
        }
        guard columns[column].type.base != .link else {
            throw binder.typeError(
                "pivot needs values, and \"\(name.shortened)\" is a link", item.range,
                hint: "name one of its properties")
        }
        let rows = columns.indices.filter { $0 != column && key(columns[$0]) }
        let cells = columns.indices.filter { !key(columns[$0]) }
        guard !cells.isEmpty else {
            throw binder.typeError(
                "pivot needs values for its columns", item.range, hint: "such as @count")
        }
        return BoundPivot(
            rows: rows, column: column,
            cells: cells.map { BoundPivot.Cell(column: $0, aggregate: aggregate(columns[$0])) },
            values: values, name: name, range: item.range)
    }

    /// Returns the constants that the values of a key are compared with.
    static func values(
        _ elements: [Expression], of item: ProjectionItem, _ binder: Binder
    ) throws(QueryError) -> [Value] {
        var values: [Value] = []
        for element in elements {
            let comparison = Comparison(
                left: item.expression, operator: .equal, right: element,
                operatorRange: element.range)
            guard case .comparison(let bound) = try binder.predicate(.comparison(comparison)),
                case .constant(let test) = bound.test
            else { throw binder.typeError("a constant is needed here", element.range) }
            guard let constant = constant(test, of: bound.left.value.type) else {
                throw binder.typeError(
                    "no value of \(binder.typed(item.expression.range)) equals this",
                    element.range)
            }
            if !values.contains(constant) { values.append(constant) }
        }
        return values
    }

    /// Returns the value that passes a test, as a value of a type; `nil` if no value can.
    private static func constant(_ test: ColumnTest, of type: PropertyType) -> Value? {
        switch test {
        case .compare(.equal, let constant): constant.converted(to: type)
        case .isNull: .null
        default: nil
        }
    }

    /// Returns the name of the turned column.
    private func name(_ item: ProjectionItem) throws(QueryError) -> String {
        if let alias = item.alias { return alias }
        guard case .path(let path) = item.expression else { return binder.typed(item.range) }
        // An unknown name is told with the nearest one.
        if !columns.contains(where: { $0.name == path.outputText }) {
            _ = try binder.operand(item.expression)
        }
        return path.outputText
    }

    private func groupItem(_ column: BoundProjection) -> BoundGroupItem? {
        guard case .column(.output(let index, _, _, _)) = column.expression,
            items.indices.contains(index)
        else { return nil }
        return items[index]
    }

    private func key(_ column: BoundProjection) -> Bool {
        if case .key? = groupItem(column) { true } else { false }
    }

    private func aggregate(_ column: BoundProjection) -> BoundAggregate? {
        groupItem(column)?.aggregate
    }
}
