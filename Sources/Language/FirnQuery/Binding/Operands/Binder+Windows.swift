import FirnEngine
import FirnSyntax
import FirnValues

extension Binder {
    /// Binds the parts of an item that depend on other rows: values of other rows, and values of
    /// each row.
    ///
    /// - Returns: `nil` if the item is computed from such parts.
    func windowed(_ expression: Expression) throws(QueryError) -> Operand? {
        guard let scope = windowScope else { return nil }
        var rows = self
        rows.windowScope = nil
        if let call = rows.rowAggregate(expression) {
            let window = try rows.window(call, scope)
            return .single(Computed(.column(scope.column(of: window))))
        }
        guard !rows.containsAggregate(expression) else { return nil }
        let operand = try rows.operand(expression)
        switch operand {
        case .single(let computed):
            let name = rows.name(of: expression, computed.expression)
            return .single(Computed(.column(scope.column(of: computed, name: name))))
        case .many, .elements, .collection:
            throw typeError(
                "a column beside values of other rows has one value for each row, not "
                    + describe(operand), expression.range)
        case .constant, .number, .duration, .list, .object: return operand
        }
    }

    /// Returns whether items have values of other rows: BY, a function such as `@rank`, or an
    /// aggregate beside a value of the row itself, in the same item or another.
    func hasWindow(among items: [Expression]) -> Bool {
        var aggregates: [AggregateCall] = []
        let hasPath = items.reduce(false) { collect($1, &aggregates) || $0 }
        return aggregates.contains {
            !$0.keys.isEmpty || BoundWindow.Function.named[$0.name] != nil
        }
            || hasPath && !aggregates.isEmpty
    }

    /// Collects the aggregates of an expression; returns whether there is also a path outside of
    /// them.
    private func collect(_ expression: Expression, _ found: inout [AggregateCall]) -> Bool {
        if let call = rowAggregate(expression) {
            found.append(call)
            return false
        }
        switch expression {
        case .path, .subquery, .aggregate: return true
        case .literal, .argument, .placeholder: return false
        case .list(let parts, _), .map(_, let parts, _), .call(_, let parts, _):
            return parts.reduce(false) { collect($1, &found) || $0 }
        case .arithmetic(let first, let rest):
            let hasPath = collect(first, &found)
            return rest.reduce(hasPath) { collect($1.operand, &found) || $0 }
        case .negation(let inner, _), .quantified(_, let inner, _): return collect(inner, &found)
        case .condition(let predicate): return collect(predicate, &found)
        }
    }

    private func collect(_ predicate: Predicate, _ found: inout [AggregateCall]) -> Bool {
        switch predicate {
        case .and(let operands, _), .or(let operands, _):
            return operands.reduce(false) { collect($1, &found) || $0 }
        case .not(let operand, _): return collect(operand, &found)
        case .constant: return false
        case .property(let path): return collect(.path(path), &found)
        case .comparison(let comparison):
            let left = collect(comparison.left, &found)
            return collect(comparison.right, &found) || left
        }
    }

    // MARK: Values of other rows

    private func window(
        _ call: AggregateCall, _ scope: WindowScope
    ) throws(QueryError) -> BoundWindow {
        try checkNesting(call)
        var keys: [Int] = []
        var names: [String] = []
        for key in call.keys {
            let computed = try single(key, call)
            keys.append(scope.index(of: computed))
            names.append(computed.expression.description)
        }
        let by = names.isEmpty ? "" : " BY " + names.joined(separator: ", ")
        guard let function = BoundWindow.Function.named[call.name] else {
            let aggregate = try aggregate(call.withoutKeys)
            let operand = aggregate.expression.map { Computed($0) }
            return BoundWindow(
                function: .aggregate(aggregate.function, fraction: aggregate.fraction),
                operand: operand.map { scope.index(of: $0) }, keys: keys,
                valueType: aggregate.valueType, valueDisplay: aggregate.valueDisplay,
                name: aggregate.renamed(aggregate.defaultName).description + by)
        }
        let operand = try operand(function, call)
        let text = operand.map(\.expression.description) ?? ""
        let arguments = text + (text.isEmpty ? by.dropFirst() : by[...])
        return BoundWindow(
            function: function, operand: operand.map { scope.index(of: $0) }, keys: keys,
            valueType: operand?.type, valueDisplay: operand?.expression.display,
            name: call.name + (arguments.isEmpty ? "" : "(\(arguments))"))
    }

    /// Returns the operand of a function of other rows; `nil` for `@row`.
    private func operand(
        _ function: BoundWindow.Function, _ call: AggregateCall
    ) throws(QueryError) -> Computed? {
        if let condition = call.condition {
            throw typeError(
                "\(call.name) takes no condition", condition.range, hint: "use if(condition, a, b)")
        }
        guard function != .row else {
            if call.arguments.isEmpty { return nil }
            throw typeError("@row takes no value", call.range, hint: "such as @row(BY city)")
        }
        guard call.arguments.count == 1 else {
            throw typeError(
                "\(call.name) takes one value", call.range, hint: "such as \(call.name)(price)")
        }
        let value = try single(call.arguments[0], call)
        if function == .running, !value.type.isNumeric {
            throw typeError("@running needs a number, not \(describe(value))", call.range)
        }
        guard value.type.base != .link else {
            throw typeError(
                "\(call.name) needs values with an order, not \(describe(value))", call.range)
        }
        return value
    }

    private func single(
        _ expression: Expression, _ call: AggregateCall
    ) throws(QueryError) -> Computed {
        let operand = try operand(expression)
        guard let computed = try key(operand, of: expression) else {
            throw typeError(
                "\(call.name) needs one value for each object, not \(describe(operand))",
                expression.range)
        }
        return computed
    }

    /// Throws an error if a part of an aggregate is itself a value of other rows.
    func checkNesting(_ call: AggregateCall) throws(QueryError) {
        let parts = call.arguments + call.keys + (call.condition.map { [.condition($0)] } ?? [])
        guard let inner = parts.first(where: containsAggregate) else { return }
        let name = call.name.shortened
        throw typeError(
            "\(name) of values of other rows needs a stage between them", inner.range,
            hint: "such as | select(v = \(typed(inner.range).shortened)) | select(\(name)(v))")
    }
}

extension AggregateCall {
    /// The call without BY.
    fileprivate var withoutKeys: AggregateCall {
        AggregateCall(
            name: name, path: path, arguments: arguments, condition: condition, keys: [],
            range: range)
    }
}
