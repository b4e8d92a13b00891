import FirnSyntax
import FirnValues

extension BoundAggregate {
    /// Returns the name of an aggregate without an alias.
    static func defaultName(
        _ function: Function, _ expression: BoundExpression?, fraction: Double? = nil
    ) -> String {
        text(function, expression, fraction: fraction) { $0.defaultName }
    }

    /// The name without an alias.
    var defaultName: String {
        Self.defaultName(function, expression, fraction: fraction)
    }

    /// Whether the default name is a path such as `@avg.age`, to which later stages can refer.
    var isWrittenAsPath: Bool { expression.map(\.isWrittenAsPath) ?? true && fraction == nil }

    /// Returns the aggregate without its alias.
    func text(inParentheses: Bool) -> String {
        Self.text(function, expression, fraction: fraction, inParentheses: inParentheses) {
            $0.description
        }
    }

    private static func text(
        _ function: Function, _ expression: BoundExpression?, fraction: Double?,
        inParentheses: Bool = false, _ text: (BoundExpression) -> String
    ) -> String {
        let word = function.rawValue
        guard let expression else { return word }
        if fraction == nil, expression.isWrittenAsPath, !inParentheses {
            return "\(word).\(text(expression))"
        }
        var parts: [String] = []
        let (value, condition) = expression.conditional
        if let value { parts.append(text(value)) }
        if let fraction { parts.append(Canonical.literal(.double(fraction))) }
        let arguments = parts.joined(separator: ", ")
        guard let condition else { return "\(word)(\(arguments))" }
        return parts.isEmpty
            ? "\(word)(\(condition))" : "\(word)(\(arguments) WHERE \(condition))"
    }
}

extension BoundAggregate: CustomStringConvertible {
    /// The aggregate, with its alias if that differs.
    package var description: String {
        let text = Self.text(function, expression, fraction: fraction) { $0.description }
        let plain = BoundAggregate.defaultName(function, expression, fraction: fraction)
        return text + (name == plain ? "" : " AS " + Canonical.name(name))
    }
}

extension BoundExpression {
    /// Whether the text is a path, without operators and calls.
    fileprivate var isWrittenAsPath: Bool {
        switch self {
        case .column, .path, .reduction, .typeName, .mapped: true
        case .constant, .subqueryCount, .aggregate, .arithmetic, .moved, .function, .condition:
            false
        }
    }

    /// The operand and the condition of an aggregate with a condition; the operand is `nil` if all
    /// rows that pass are counted.
    fileprivate var conditional: (value: BoundExpression?, condition: BoundPredicate?) {
        guard case .function(.if, let arguments) = self, arguments.count == 3,
            case .condition(let condition) = arguments[0], arguments[2] == .constant(.null)
        else { return (self, nil) }
        return (arguments[1] == .constant(.bool(true)) ? nil : arguments[1], condition)
    }

    /// Returns the operand of an aggregate over the rows that pass a condition.
    ///
    /// - Parameter value: `nil` to count the rows.
    static func conditional(
        _ value: BoundExpression?, _ condition: BoundPredicate
    ) -> BoundExpression {
        .function(.if, [.condition(condition), value ?? .constant(.bool(true)), .constant(.null)])
    }
}
