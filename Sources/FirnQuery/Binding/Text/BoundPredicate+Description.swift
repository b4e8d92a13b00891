import FirnCodec
import FirnValues

extension BoundPredicate: CustomStringConvertible {
    /// The condition in canonical form: the column first, `AND` before `OR` without parentheses.
    package var description: String {
        var text = ""
        append(to: &text)
        return text
    }

    private func append(to text: inout String) {
        switch self {
        case .always(let value): text += value ? "TRUEPREDICATE" : "FALSEPREDICATE"
        case .and(let operands): BoundPredicate.append(operands, " AND ", to: &text)
        case .or(let operands): BoundPredicate.append(operands, " OR ", to: &text)
        case .not(let operand):
            text += "NOT "
            operand.appendOperand(isInParentheses: operand.isLogic, to: &text)
        case .test(let column, let test): text += test.description(of: column)
        case .compareColumns(let left, let operation, let right):
            text += "\(left.canonicalName) \(operation.rawValue) \(right.canonicalName)"
        default: preconditionFailure("contract")
        }
    }

    private static func append(
        _ operands: [BoundPredicate], _ word: String, to text: inout String
    ) {
        for (index, operand) in operands.enumerated() {
            if index > 0 { text += word }
            // AND binds tighter than OR, so only an OR inside of an AND needs parentheses.
            var isInParentheses = false
            if case .or = operand { isInParentheses = true }
            operand.appendOperand(isInParentheses: isInParentheses, to: &text)
        }
    }

    private func appendOperand(isInParentheses: Bool, to text: inout String) {
        if isInParentheses { text += "(" }
        append(to: &text)
        if isInParentheses { text += ")" }
    }

    private var isLogic: Bool {
        switch self {
        case .and, .or: true
        default: false
        }
    }
}

extension ColumnTest {
    /// The test as a comparison with the column on its left.
    func description(of column: BoundColumn) -> String {
        let name = column.canonicalName
        switch self {
        case .isNull: return "\(name) == nil"
        case .isNotNull: return "\(name) != nil"
        case .compare(let operation, let value):
            return "\(name) \(operation.rawValue) \(Canonical.literal(value))"
        case .between(let low, let high):
            return "\(name) BETWEEN {\(Canonical.literal(low)), \(Canonical.literal(high))}"
        case .oneOf(let values):
            let list = values.map { Canonical.literal($0) }.joined(separator: ", ")
            return "\(name) IN {\(list)}"
        case .text(let pattern):
            var options = ""
            if pattern.options.contains(.caseInsensitive) { options += "c" }
            if pattern.options.contains(.diacriticInsensitive) { options += "d" }
            if !options.isEmpty { options = "[\(options)]" }
            let operand = Canonical.literal(
                pattern.bytes.map { .data($0) } ?? .string(pattern.operand))
            return "\(name) \(pattern.kind.rawValue)\(options) \(operand)"
        }
    }
}
