import FirnSyntax
import FirnValues

/// Prints trees in a canonical form that parses to the same tree.
enum TreePrinter {
    static func text(_ statement: Statement) -> String {
        var parts: [String] = []
        switch statement.source?.kind {
        case .className(let name): parts.append(quoted(name))
        case .lastResult: parts.append("_")
        case .saved(let name): parts.append(":" + quoted(name))
        case nil: break
        }
        parts += statement.stages.map { text($0.kind) }
        return parts.joined(separator: " | ")
    }

    static func text(_ stage: Stage.Kind) -> String {
        switch stage {
        case .filter(let predicate): "where " + text(predicate)
        case .sort(let keys):
            "SORT("
                + keys.map { key($0.expression) + ($0.descending ? " DESC" : " ASC") }
                .joined(separator: ", ") + ")"
        case .distinct(let keys): "DISTINCT(" + keys.map(key).joined(separator: ", ") + ")"
        case .limit(let count): "LIMIT(" + text(count) + ")"
        case .limitEach(let count, let keys):
            "LIMIT(" + text(count) + " BY " + keys.map(key).joined(separator: ", ") + ")"
        case .skip(let count): "SKIP(" + text(count) + ")"
        case .project(let items): "project(" + items.map(text).joined(separator: ", ") + ")"
        case .group(let keys, let items):
            "group("
                + keys.map { key($0.expression) + ($0.alias.map { " AS " + quoted($0) } ?? "") }
                .joined(separator: ", ") + "; "
                + items.map(text).joined(separator: ", ") + ")"
        case .join(let clause):
            "join(" + quoted(clause.name) + " = " + (clause.findsAll ? "ALL " : "")
                + quoted(clause.className) + "; "
                + clause.conditions.map(text).joined(separator: ", ") + ")"
        case .pivot(let clause): text(clause)
        case .each(let items, let keepsEmpty):
            (keepsEmpty ? "eachOrNil(" : "each(") + items.map(text).joined(separator: ", ") + ")"
        case .count: "count"
        case .exists: "exists"
        case .first: "first"
        case .last: "last"
        case .describe: "describe"
        case .explain: "explain"
        case .observe: "observe"
        case .histogram(let path, let buckets):
            "hist(" + text(path) + (buckets.map { ", " + text($0) } ?? "") + ")"
        case .bar(let path): "bar(" + text(path) + ")"
        case .spark(let path): "spark(" + text(path) + ")"
        case .set(let assignments):
            "set "
                + assignments.map { text($0.path) + " = " + text($0.expression) }
                .joined(separator: ", ")
        case .delete: "delete"
        case .output(let format): "to " + format
        case .save(let name): "save " + quoted(name)
        case .shell(let command): "! " + command
        }
    }

    /// A key that is neither a path nor a call starts with a parenthesis.
    private static func key(_ expression: Expression) -> String {
        switch expression {
        case .path, .call: text(expression)
        default: "(" + text(expression) + ")"
        }
    }

    private static func text(_ clause: PivotClause) -> String {
        let values = clause.values.map { values in
            " IN {" + values.map { text($0) }.joined(separator: ", ") + "}"
        }
        let alias = clause.column.alias.map { " AS " + quoted($0) } ?? ""
        let column = text(clause.column.expression) + (values ?? "") + alias
        guard let group = clause.group else { return "pivot(" + column + ")" }
        let rows = group.rows.map {
            key($0.expression) + ($0.alias.map { " AS " + quoted($0) } ?? "")
        }
        return "pivot(" + (rows.isEmpty ? "" : rows.joined(separator: ", ") + "; ") + column + "; "
            + group.items.map(text).joined(separator: ", ") + ")"
    }

    private static func text(_ item: ProjectionItem) -> String {
        text(item.expression) + (item.alias.map { " AS " + quoted($0) } ?? "")
    }

    static func text(_ predicate: Predicate) -> String {
        switch predicate {
        case .and(let operands, _):
            operands.map { operand in
                switch operand {
                case .and, .or: "(" + text(operand) + ")"
                default: text(operand)
                }
            }.joined(separator: " AND ")
        case .or(let operands, _):
            operands.map { operand in
                if case .or = operand { "(" + text(operand) + ")" } else { text(operand) }
            }.joined(separator: " OR ")
        case .not(let operand, _):
            switch operand {
            case .and, .or: "NOT (" + text(operand) + ")"
            default: "NOT " + text(operand)
            }
        case .constant(let value, _): value ? "TRUEPREDICATE" : "FALSEPREDICATE"
        case .property(let path): text(path)
        case .comparison(let comparison): text(comparison)
        }
    }

    private static func text(_ comparison: Comparison) -> String {
        var options = ""
        if comparison.options.contains(.caseInsensitive) { options += "c" }
        if comparison.options.contains(.diacriticInsensitive) { options += "d" }
        if !options.isEmpty { options = "[\(options)]" }
        return text(comparison.left) + " " + comparison.operator.rawValue + options + " "
            + text(comparison.right)
    }

    /// Whether an expression needs parentheses as an operand of an operator that binds tighter.
    private static func operand(_ expression: Expression) -> String {
        switch expression {
        case .arithmetic, .negation, .quantified: "(" + text(expression) + ")"
        default: text(expression)
        }
    }

    static func text(_ expression: Expression) -> String {
        switch expression {
        case .literal(let literal, _): text(literal)
        case .argument(let name, _): "$" + name
        case .placeholder: "%@"
        case .path(let path): text(path)
        case .list(let elements, _): "{" + elements.map(text).joined(separator: ", ") + "}"
        case .map(let keys, let values, _):
            "{"
                + zip(keys, values).map { Canonical.literal(.string($0.text)) + ": " + text($1) }
                .joined(separator: ", ") + "}"
        case .call(let name, let arguments, _):
            name + "(" + arguments.map(text).joined(separator: ", ") + ")"
        case .arithmetic(let first, let rest):
            operand(first)
                + rest.map { " \($0.operator.rawValue) " + operand($0.operand) }.joined()
        case .negation(let expression, _): "- (" + text(expression) + ")"
        case .quantified(let quantifier, let expression, _):
            quantifier.rawValue + " " + operand(expression)
        case .subquery(let subquery):
            "SUBQUERY(" + text(subquery.path) + ", $" + subquery.variable + ", "
                + text(subquery.predicate) + ").@count"
        case .aggregate(let call):
            (call.path.map { text($0) + "." } ?? "") + call.name + "("
                + call.arguments.map(text).joined(separator: ", ")
                + (call.condition.map { " WHERE " + text($0) } ?? "")
                + (call.keys.isEmpty ? "" : " BY " + call.keys.map(text).joined(separator: ", "))
                + ")"
        case .condition(let predicate): text(predicate)
        }
    }

    static func text(_ literal: Literal) -> String {
        switch literal {
        case .duration(let milliseconds): "\(milliseconds)ms"
        case .number(let number): text(number)
        case .value(.string(let string)): quoted(string, with: "\"")
        case .value(.uuid(let uuid)): "uuid(\"\(uuid)\")"
        case .value(.objectID(let objectID)): "oid(\"\(objectID)\")"
        case .value(let value): value.description
        }
    }

    private static func text(_ number: NumberLiteral) -> String {
        let digits = number.decimal.map { "\($0)" } ?? "\(number.double)"
        return number.isWhole || digits.contains(".") || digits.contains("E")
            ? digits : digits + ".0"
    }

    static func text(_ path: Path) -> String {
        var result = path.variable.map { "$\($0)" } ?? ""
        for segment in path.segments {
            switch segment.kind {
            case .name(let name): result += (result.isEmpty ? "" : ".") + quoted(name)
            case .attribute(let name): result += (result.isEmpty ? "" : ".") + name
            case .index(let index): result += "[" + text(index) + "]"
            case .placeholder: result += (result.isEmpty ? "" : ".") + "%K"
            }
        }
        return result
    }

    private static func text(_ index: Path.Index) -> String {
        switch index {
        case .position(let position): String(position)
        case .key(let key): quoted(key, with: "\"")
        case .argument(let name): "$" + name
        case .placeholder: "%@"
        case .first: "FIRST"
        case .last: "LAST"
        case .size: "SIZE"
        case .all: "*"
        }
    }

    /// A name in backquotes, so that keywords and blanks do no harm.
    static func quoted(_ name: String) -> String {
        "`" + name.replacing("`", with: "``") + "`"
    }

    private static func quoted(_ string: String, with quote: String) -> String {
        var result = quote
        for scalar in string.unicodeScalars {
            switch scalar {
            case "\"", "\\":
                result += "\\"
                result.unicodeScalars.append(scalar)
            case "\0": result += "\\0"
            case "\n": result += "\\n"
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result + quote
    }
}
