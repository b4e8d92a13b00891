import FirnCodec
import FirnEngine
import FirnSyntax
import FirnValues

/// Writes bound trees in canonical form, which binds to the same tree.
struct BoundText {
    /// The prefix of every path: the variable of a subquery, or the links that lead to the object.
    let prefix: String
    /// The number of enclosing subqueries.
    let depth: Int
    /// The columns that conditions with values of other rows refer to.
    let outputs: [BoundWindowColumn]
    /// The values of the enclosing object to which the condition of a subquery refers.
    let outer: [String]

    init(
        prefix: String = "", depth: Int = 0, outputs: [BoundWindowColumn] = [],
        outer: [String] = []
    ) {
        self.prefix = prefix
        self.depth = depth
        self.outputs = outputs
        self.outer = outer
    }

    /// Returns the name of a column, or the expression that it has been computed from.
    private func text(_ column: BoundColumn) -> String {
        guard case .output(let index, _, _, _) = column else {
            return prefix + column.canonicalName
        }
        if outer.indices.contains(index) { return outer[index] }
        return outputs.indices.contains(index) ? text(outputs[index]) : column.canonicalName
    }

    private func text(_ column: BoundWindowColumn) -> String {
        func input(_ index: Int) -> String {
            guard outputs.indices.contains(index) else { return "" }
            return text(outputs[index])
        }
        switch column {
        case .input(let input), .key(let input): return BoundText().text(input.expression)
        case .window(let window):
            return window.text(input)
        }
    }

    /// Returns the writer for conditions after one more single link.
    private func behind(_ link: PropertySchema) -> BoundText {
        BoundText(
            prefix: prefix + Canonical.name(link.name) + ".", depth: depth, outer: outer)
    }

    // MARK: Expressions

    func text(_ expression: BoundExpression) -> String {
        switch expression {
        case .constant(let value): Canonical.literal(value)
        case .column(let column): text(column)
        case .path(let path), .mapped(let path): prefix + path.name
        case .reduction(let reduction, let path): prefix + Canonical.path(reduction, path)
        case .typeName(let path): prefix + path.name + ".@type"
        case .subqueryCount(let objects, let outer, let predicate):
            subquery(objects, outer, predicate)
        case .aggregate(let objects, let aggregate):
            prefix + objects.path.name + "." + aggregate.text(inParentheses: true)
        case .arithmetic(let operation, let left, let right):
            arithmetic(operation, left, right)
        case .moved(let date, let milliseconds):
            text(date) + (milliseconds < 0 ? " - " : " + ") + "\(milliseconds.magnitude)ms"
        case .function(let function, let arguments):
            function.rawValue + "(" + arguments.map(text).joined(separator: ", ") + ")"
        case .condition(let predicate): text(predicate)
        }
    }

    private func subquery(
        _ objects: ObjectPath, _ outer: [BoundExpression], _ predicate: BoundPredicate
    ) -> String {
        let path = prefix + objects.path.name
        let variable = depth == 0 ? "$x" : "$x\(depth + 1)"
        let inner = BoundText(
            prefix: variable + ".", depth: depth + 1, outer: outer.map { text($0) })
        return "SUBQUERY(\(path), \(variable), \(inner.text(predicate))).@count"
    }

    /// Writes parentheses only where their absence would change the tree.
    private func arithmetic(
        _ operation: BoundExpression.Arithmetic, _ left: BoundExpression, _ right: BoundExpression
    ) -> String {
        let precedence = operation.precedence
        func operand(_ expression: BoundExpression, isRight: Bool) -> String {
            let text = text(expression)
            guard let inner = expression.precedence else { return text }
            return inner < precedence || (isRight && inner == precedence) ? "(\(text))" : text
        }
        return operand(left, isRight: false) + " \(operation.rawValue) "
            + operand(right, isRight: true)
    }

    // MARK: Predicates

    func text(_ predicate: BoundPredicate) -> String {
        switch predicate {
        case .always(let value): value ? "TRUEPREDICATE" : "FALSEPREDICATE"
        case .and(let operands): joined(operands, " AND ")
        case .or(let operands): joined(operands, " OR ")
        case .not(let operand):
            "NOT " + (operand.isLogic ? "(" + text(operand) + ")" : text(operand))
        case .linkMatches: linkMatchText(predicate)
        case .comparison(let comparison): text(comparison)
        case .isWithin: locationText(predicate)
        }
    }

    private func linkMatchText(_ predicate: BoundPredicate) -> String {
        guard case .linkMatches(let link, _, let inner, _) = predicate else { return "" }
        return behind(link).text(inner)
    }

    /// Joins conditions; AND binds tighter than OR, so only an OR inside an AND needs parentheses.
    private func joined(_ operands: [BoundPredicate], _ word: String) -> String {
        var result = ""
        for (index, operand) in operands.enumerated() {
            if index > 0 { result += word }
            if case .or = operand {
                result += "(" + text(operand) + ")"
            } else {
                result += text(operand)
            }
        }
        return result
    }

    private func locationText(_ predicate: BoundPredicate) -> String {
        guard case .isWithin(let location, let region) = predicate else { return "" }
        // The link to the object, or its variable.
        let link =
            prefix.isEmpty ? Canonical.name(location.coordinates.name) : String(prefix.dropLast())
        return "\(link) GEOWITHIN \(Canonical.region(region))"
    }

    // MARK: Comparisons

    private func text(_ comparison: BoundComparison) -> String {
        let left = comparison.left
        switch comparison.test {
        case .constant(let test): return text(left, test)
        case .list(let test): return text(left) + " " + test.text
        case .isCollection(let values):
            return text(left.value) + " == " + Canonical.literal(.list(values))
        case .relation(.between, let right):
            return text(left) + " BETWEEN " + text(right.value)
        case .relation(.wholes, let right): return whole(left) + " == " + whole(right)
        case .relation(.compare(let operation), let right):
            return text(left) + " \(operation.rawValue) " + text(right)
        case .relation(.match(let kind, let options), let right):
            return text(left) + " \(kind.rawValue)\(options.text) " + text(right)
        }
    }

    private func text(_ side: BoundComparison.Side, _ test: ColumnTest) -> String {
        switch side.value {
        case .column(.output(let index, _, _, _)):
            guard outputs.indices.contains(index), case .input(let input) = outputs[index],
                case .condition(let condition) = input.expression
            else { return test.text(of: text(side)) }
            return "(\(BoundText().text(condition)))"
        case .path(let path), .mapped(let path): return test.text(of: text(side), path.literal)
        default: return test.text(of: text(side))
        }
    }

    /// Returns a side preceded by its quantifier; a single value has none.
    private func text(_ side: BoundComparison.Side) -> String {
        let text = text(side.value)
        switch side.value {
        case .mapped(let path) where !path.isMultiple: return text
        // Several collections have ANY of their results unless another quantifier is written.
        case .reduction where side.quantifier == .any: return text
        case .arithmetic, .moved:
            guard !side.isSingle, side.quantifier != .any else { return text }
            return "\(side.quantifier.rawValue) (\(text))"
        default: return side.isSingle ? text : "\(side.quantifier.rawValue) \(text)"
        }
    }

    private func whole(_ side: BoundComparison.Side) -> String {
        guard case .mapped(let path) = side.value else { return text(side.value) }
        return prefix + path.name + (path.isInMap ? "[*]" : "")
    }
}

extension BoundPath {
    /// Whether the values are the values of a map, all of which `[*]` selects.
    fileprivate var isInMap: Bool {
        if case .elements(let property) = terminal {
            property.type.container == .map
        } else {
            false
        }
    }
}

extension BoundPredicate {
    fileprivate var isLogic: Bool {
        switch self {
        case .and, .or: true
        default: false
        }
    }
}

extension BoundExpression.Arithmetic {
    /// The precedence; a higher value binds more tightly.
    fileprivate var precedence: Int {
        switch self {
        case .add, .subtract: 1
        case .multiply, .divide, .remainder: 2
        }
    }
}

extension BoundExpression {
    /// The precedence; a higher value binds more tightly.
    fileprivate var precedence: Int? {
        switch self {
        case .arithmetic(let operation, _, _): operation.precedence
        case .moved: 1
        default: nil
        }
    }
}

extension TextPattern.Options {
    /// The options after an operator, such as `[c]`; empty if there are none.
    var text: String {
        var marks = ""
        if contains(.caseInsensitive) { marks += "c" }
        if contains(.diacriticInsensitive) { marks += "d" }
        return marks.isEmpty ? "" : "[\(marks)]"
    }
}

extension ColumnTest {
    /// Returns the test as a comparison with its subject on the left.
    fileprivate func text(
        of subject: String, _ literal: (Value) -> String = { Canonical.literal($0) }
    ) -> String {
        switch self {
        case .isNull: return "\(subject) == nil"
        case .isNotNull: return "\(subject) != nil"
        case .compare(let operation, let value):
            return "\(subject) \(operation.rawValue) \(literal(value))"
        case .between(let low, let high):
            return "\(subject) BETWEEN {\(literal(low)), \(literal(high))}"
        case .oneOf(let values):
            if let list = listOrElement {
                return "\(subject) == \(Canonical.literal(.list(list)))"
            }
            return "\(subject) IN {\(values.map(literal).joined(separator: ", "))}"
        case .text(let pattern):
            return "\(subject) \(pattern.kind.rawValue)\(pattern.options.text) "
                + literal(pattern.constant)
        }
    }
}

extension BoundPath {
    /// Returns a constant with which values of the path are compared.
    fileprivate func literal(_ value: Value) -> String {
        guard case .nested(_, let inner) = terminal,
            case .objectKey(let schema, let property)? = inner.last
        else {
            return Canonical.literal(value)
        }
        return BoundObject(target: schema, property: property, value: value).description
    }
}

extension BoundPredicate: CustomStringConvertible {
    /// The condition in canonical form: the column first, `AND` before `OR` without parentheses.
    package var description: String { BoundText().text(self) }
}

extension BoundExpression: CustomStringConvertible {
    /// The value in canonical form.
    package var description: String { BoundText().text(self) }

    /// The name of a column of this expression without an alias.
    var defaultName: String {
        if case .column(let column) = self { column.name } else { description }
    }
}
