import FirnCodec
import FirnEngine
import FirnSyntax
import FirnValues

extension Binder {
    /// Binds the parts of an item of a group that are columns of the group: its keys and
    /// aggregates.
    ///
    /// - Returns: `nil` if the item is computed from such parts.
    func scoped(_ expression: Expression) throws(QueryError) -> Operand? {
        guard let scope = aggregateScope else { return nil }
        var rows = self
        rows.aggregateScope = nil
        if let call = rows.rowAggregate(expression) {
            return .single(Computed(.column(scope.column(of: try rows.aggregate(call)))))
        }
        switch expression {
        case .literal, .argument, .placeholder, .list, .map: return nil
        case .call, .arithmetic, .negation, .condition, .quantified:
            return rows.containsAggregate(expression)
                ? nil : try rows.wholeKey(expression, scope)
        case .path, .subquery, .aggregate: return try rows.key(expression, scope)
        }
    }

    /// Returns the key of a group that is equal to an expression with several parts.
    private func wholeKey(
        _ expression: Expression, _ scope: AggregateScope
    ) throws(QueryError) -> Operand? {
        do {
            guard case .single(let computed) = try operand(expression) else { return nil }
            return scope.column(of: computed.expression).map { .single(Computed(.column($0))) }
        } catch {
            // Only the names of keys are unknown to the rows.
            if error.code == .unknownProperty { return nil }
            throw error
        }
    }

    /// Returns the key of a group that an expression names.
    private func key(
        _ expression: Expression, _ scope: AggregateScope
    ) throws(QueryError) -> Operand {
        if let key = scope.key(named: expression) {
            return .single(Computed(.column(scope.column(ofKey: key))))
        }
        let operand = try operand(expression)
        if operand.isConstant { return operand }
        if case .single(let computed) = operand, let column = scope.column(of: computed.expression)
        {
            return .single(Computed(.column(column)))
        }
        guard !scope.keys.isEmpty else {
            throw typeError(
                "a projection has either properties or values over all rows, not both",
                scope.itemRange)
        }
        throw typeError(
            "an item of a group is one of its keys or a value over its rows", scope.itemRange,
            hint: "such as @count, or compute it in a project after the group")
    }

    // MARK: Recognition

    /// Returns an expression as an aggregate over rows, such as `@count`, `@avg.age` or
    /// `@avg(age)`; `nil` if it is not one.
    func rowAggregate(_ expression: Expression) -> AggregateCall? {
        switch expression {
        case .aggregate(let call): return call.path == nil ? call : nil
        case .path(let path):
            guard path.variable == nil, case .attribute(let name)? = path.segments.first?.kind,
                BoundAggregate.Function(attribute: name) != nil
                    || BoundWindow.Function.named[name] != nil, !isOutput(path)
            else { return nil }
            let rest = Array(path.segments.dropFirst())
            let operand = rest.first.map { first in
                Expression.path(
                    Path(segments: rest, range: first.range.to(rest[rest.count - 1].range)))
            }
            return AggregateCall(
                name: name, path: nil, arguments: operand.map { [$0] } ?? [], condition: nil,
                range: path.range)
        default: return nil
        }
    }

    /// Returns whether an aggregate over rows occurs in an expression.
    func containsAggregate(_ expression: Expression) -> Bool {
        if rowAggregate(expression) != nil { return true }
        switch expression {
        case .list(let parts, _), .map(_, let parts, _), .call(_, let parts, _):
            return parts.contains(where: containsAggregate)
        case .arithmetic(let first, let rest):
            return containsAggregate(first) || rest.contains { containsAggregate($0.operand) }
        case .negation(let inner, _), .quantified(_, let inner, _):
            return containsAggregate(inner)
        case .condition(let predicate): return containsAggregate(predicate)
        case .literal, .argument, .placeholder, .path, .subquery, .aggregate: return false
        }
    }

    func containsAggregate(_ predicate: Predicate) -> Bool {
        switch predicate {
        case .and(let operands, _), .or(let operands, _):
            operands.contains(where: containsAggregate)
        case .not(let operand, _): containsAggregate(operand)
        case .constant: false
        case .property(let path): containsAggregate(.path(path))
        case .comparison(let comparison):
            containsAggregate(comparison.left) || containsAggregate(comparison.right)
        }
    }

    // MARK: Aggregates

    /// Binds an aggregate over the rows of a result, or over objects of this binder's class.
    func aggregate(_ call: AggregateCall) throws(QueryError) -> BoundAggregate {
        guard let function = BoundAggregate.Function(attribute: call.name) else {
            throw unknownAggregate(call)
        }
        guard call.keys.isEmpty else {
            throw typeError(
                "BY is for the items of a select that have a value for each row", call.range,
                hint: "such as | select(price, share = price / @sum(price BY city))")
        }
        try checkNesting(call)
        let fraction = try fraction(function, call)
        let value = try operand(function, call)
        var expression = value?.expression
        var condition = try call.condition.map { condition throws(QueryError) in
            try predicate(condition)
        }
        // The rows for which a Bool in parentheses is true are counted.
        if function == .count, call.hasParentheses, let value, value.type.base == .bool {
            let holds = BoundPredicate(.single(value), .compare(.equal, .bool(true)))
            condition = BoundPredicate.joined([holds] + (condition.map { [$0] } ?? []), isAnd: true)
            expression = nil
        }
        if let condition { expression = .conditional(expression, condition) }
        return BoundAggregate(
            function: function, expression: expression, fraction: fraction,
            valueType: value?.type, valueDisplay: value?.expression.display,
            name: name(function, call, expression, fraction))
    }

    private func unknownAggregate(_ call: AggregateCall) -> QueryError {
        if BoundWindow.Function.named[call.name] != nil {
            return typeError(
                "\(call.name) is a value of each row, which only items of select have",
                call.range, hint: "such as | select(price, \(call.name)(price))")
        }
        let known =
            BoundAggregate.Function.allCases.map(\.rawValue)
            + BoundWindow.Function.named.keys.sorted()
        let nearest = NearestNames.find(call.name, among: known)
        return QueryError(
            .type, "no aggregate \"\(call.name.shortened)\"", at: call.range.bytes,
            hint: nearest.first.map { "did you mean \"\($0)\"?" }, suggestions: nearest,
            notes: ["aggregates: " + known.joined(separator: " · ")])
    }

    /// Returns the name of an aggregate without an alias.
    ///
    /// Names that a projection has given are kept.
    private func name(
        _ function: BoundAggregate.Function, _ call: AggregateCall, _ expression: BoundExpression?,
        _ fraction: Double?
    ) -> String {
        if call.condition == nil, fraction == nil, case .path(let path)? = call.arguments.first,
            path.variable == nil, let name = aliasedName(path)
        {
            return "\(function.rawValue).\(name)"
        }
        return BoundAggregate.defaultName(function, expression, fraction: fraction)
    }

    /// Returns the share of a quantile; `nil` for other aggregates.
    private func fraction(
        _ function: BoundAggregate.Function, _ call: AggregateCall
    ) throws(QueryError) -> Double? {
        let hint = "such as \(function.rawValue)(\(example)"
        guard function == .quantile else {
            guard call.arguments.count <= 1 else {
                throw typeError(
                    "\(function.rawValue) takes one value", call.range, hint: hint + ")")
            }
            return nil
        }
        guard call.arguments.count == 2, let share = call.arguments.last else {
            throw typeError(
                "@quantile takes a value and a share from 0 to 1", call.range, hint: hint + ", 0.9)"
            )
        }
        let operand = try operand(share)
        let fraction: Double? =
            switch operand {
            case .number(let number): number.double
            case .constant(.int(let number)): Double(number)
            case .constant(.double(let number)): number
            default: nil
            }
        guard let fraction, (0...1).contains(fraction) else {
            throw typeError(
                "the share of @quantile is a number from 0 to 1, not \(describe(operand))",
                share.range)
        }
        return fraction
    }

    /// Returns the operand of an aggregate; `nil` for `@count` over all rows.
    private func operand(
        _ function: BoundAggregate.Function, _ call: AggregateCall
    ) throws(QueryError) -> Computed? {
        let word = function.rawValue
        guard let argument = call.arguments.first else {
            if function == .count { return nil }
            throw typeError(
                "\(word) needs a property", call.range, hint: "such as \(word).\(example)")
        }
        let operand = try operand(argument)
        let value: Computed
        switch operand {
        case .single(let computed): value = computed
        case .constant, .number: value = try computed(operand, argument.range)
        default:
            throw typeError(
                "\(word) needs one value for each object, not " + describe(operand), call.range)
        }
        if !function.takes(value.type) {
            throw typeError("\(word) needs a number, not \(describe(value))", call.range)
        }
        let takesLinks = function == .count || function == .distinct
        guard takesLinks || value.type.base != .null else {
            throw typeError("\(word) needs values, not \(describe(value))", call.range)
        }
        guard takesLinks || value.type.base != .link else {
            throw typeError(
                "\(word) needs values with an order, not \(describe(value))", call.range)
        }
        return value
    }

    /// The name of a property that an aggregate accepts.
    private var example: String {
        let numeric = classSchema.properties.first { $0.type.isNumeric }
        return numeric.map { Canonical.name($0.name) } ?? "price"
    }

    /// Binds an aggregate that yields one value for each object: `flights.@count(dep_delay > 15)`.
    func aggregate(_ call: AggregateCall, of path: Path?) throws(QueryError) -> Operand {
        guard let path else {
            throw typeError(
                "\(call.name) is a value over rows, which only items of select and group have",
                call.range, hint: "such as | select(\(call.name)(...))")
        }
        let collection = try operand(path)
        let elements: BoundPath? =
            switch collection {
            case .many(let path), .collection(let path, _): path
            default: nil
            }
        guard let objects = elements.flatMap({ ObjectPath($0, in: context.schema) }) else {
            throw typeError(
                "\(call.name)(...) needs a collection of objects, not \(describe(collection))",
                path.range)
        }
        let ofObjects = AggregateCall(
            name: call.name, path: nil, arguments: call.arguments, condition: call.condition,
            keys: call.keys, range: call.range)
        let aggregate = try inside(of: objects.target).aggregate(ofObjects)
        return .single(Computed(.aggregate(objects, aggregate.renamed(""))))
    }

    /// Returns whether a path names a column of the preceding group.
    func isOutput(_ path: Path) -> Bool {
        guard let outputs else { return false }
        let name = path.outputText
        return outputs.contains { $0.name == name }
    }

    /// Returns a path as written, if it is a column of the preceding group or begins with a name
    /// defined by a projection; otherwise `nil`.
    func aliasedName(_ path: Path) -> String? {
        guard path.segments.allSatisfy(\.isName) else { return nil }
        if case .name(let name)? = path.segments.first?.kind, aliases[name] != nil {
            return path.outputText
        }
        return isOutput(path) ? path.outputText : nil
    }
}

extension AggregateCall {
    /// Whether the operand is in parentheses, and not the rest of a path as in `@avg.age`.
    fileprivate var hasParentheses: Bool {
        arguments.first.map { $0.range.bytes.upperBound < range.bytes.upperBound } ?? true
    }
}
