import FirnEngine
import FirnValues

/// Binds a projection with values of other rows.
struct WindowBinder {
    /// The columns to compute, and the projection of them.
    struct Windows {
        var columns: [BoundWindowColumn]
        var projection: [BoundProjection]
        /// The names of the columns in later stages.
        var aliases: [String: Binder.Alias]
    }

    let binder: Binder

    func bind(_ items: [ProjectionItem]) throws(QueryError) -> Windows {
        let scope = WindowScope()
        var scoped = binder
        scoped.windowScope = scope
        var windows = Windows(columns: [], projection: [], aliases: [:])
        for item in items {
            let operand = try scoped.operand(item.expression)
            let computed = try binder.computed(operand, item.expression.range)
            let name = item.alias ?? name(item, computed.expression)
            guard windows.aliases[name] == nil else {
                throw binder.typeError(
                    "two columns have the name \"\(name.shortened)\"", item.range,
                    hint: "name one of them with AS")
            }
            windows.projection.append(
                BoundProjection(
                    computed.expression, name: name, type: computed.type,
                    display: computed.expression.display))
            windows.aliases[name] = Binder.Alias(operand: .single(computed), path: nil)
        }
        windows.columns = scope.columns
        return windows
    }

    private func name(_ item: ProjectionItem, _ expression: BoundExpression) -> String {
        guard case .column(let column) = expression else { return binder.typed(item.range) }
        return column.name
    }
}
