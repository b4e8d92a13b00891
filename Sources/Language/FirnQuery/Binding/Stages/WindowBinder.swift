import FirnEngine
import FirnSyntax
import FirnValues

/// Binds a projection with values of other rows.
struct WindowBinder {
    /// The columns to compute, and the projection of them.
    struct Windows {
        var columns: [BoundWindowColumn]
        var projection: [BoundProjection]
        /// The columns by their names in later stages.
        var outputs: [Binder.Output]
    }

    let binder: Binder

    func bind(_ items: [ProjectionItem]) throws(QueryError) -> Windows {
        let scope = WindowScope()
        var scoped = binder
        scoped.windowScope = scope
        var windows = Windows(columns: [], projection: [], outputs: [])
        for item in items {
            let operand: Operand
            do { operand = try scoped.operand(item.expression) } catch {
                throw error.hintingAggregate(item.expression, takesCount: false)
            }
            let computed = try binder.computed(operand, item.expression.range)
            let name = item.alias ?? name(item, computed.expression)
            guard !windows.outputs.contains(where: { $0.name == name }) else {
                throw binder.typeError(
                    "two columns have the name \"\(name.shortened)\"", item.range,
                    hint: "name one of them with AS")
            }
            windows.projection.append(
                BoundProjection(
                    computed.expression, name: name, type: computed.type,
                    display: computed.expression.display))
            windows.outputs.append(Binder.Output(name: name, value: computed))
        }
        windows.columns = columns(scope.columns, of: windows.projection)
        return windows
    }

    /// Returns the columns; inputs that no item or operand uses become mere keys.
    private func columns(
        _ columns: [BoundWindowColumn], of projection: [BoundProjection]
    ) -> [BoundWindowColumn] {
        var used = Set(
            columns.compactMap { column -> Int? in
                if case .window(let window) = column { window.operand } else { nil }
            })
        guard projection.allSatisfy({ $0.expression.collectOutputs(&used) }) else { return columns }
        return columns.enumerated().map { index, column in
            if case .input(let input) = column, !used.contains(index) {
                .key(input)
            } else {
                column
            }
        }
    }

    /// Returns the name of an item without an alias.
    ///
    /// Several items with the same value share a column, but each has its own name.
    private func name(_ item: ProjectionItem, _ expression: BoundExpression) -> String {
        if case .path(let path) = item.expression, let name = binder.aliasedName(path) {
            return name
        }
        guard case .column(let column) = expression else { return binder.typed(item.range) }
        return column.name
    }
}

extension BoundExpression {
    /// Collects the indices of the output columns from which a value is computed.
    ///
    /// - Returns: `false` if they are not known.
    fileprivate func collectOutputs(_ indices: inout Set<Int>) -> Bool {
        switch self {
        case .column(.output(let index, _, _, _)):
            indices.insert(index)
            return true
        case .column, .constant: return true
        case .arithmetic(_, let left, let right):
            return left.collectOutputs(&indices) && right.collectOutputs(&indices)
        case .moved(let date, _): return date.collectOutputs(&indices)
        case .function(_, let arguments):
            return arguments.allSatisfy { $0.collectOutputs(&indices) }
        case .aggregate, .condition, .path, .reduction, .subqueryCount, .typeName, .mapped:
            return false
        }
    }
}
