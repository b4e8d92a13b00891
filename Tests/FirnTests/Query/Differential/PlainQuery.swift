import FirnTesting

/// A condition in plain form, with its query text.
///
/// It is built and evaluated without a parser, a binder or a plan.
indirect enum PlainQuery {
    case and(PlainQuery, PlainQuery)
    case or(PlainQuery, PlainQuery)
    case not(PlainQuery)
    /// The values of a path compared with a literal.
    case compare(PlainQuantifier?, PlainPath, PlainOperator, PlainLiteral)
    /// A literal before the path.
    case mirrored(PlainLiteral, PlainOperator, PlainQuantifier?, PlainPath)
    /// A path before a list of literals, or after it.
    case list(
        PlainQuantifier, PlainPath, PlainOperator, PlainQuantifier, [PlainLiteral],
        isListFirst: Bool)
    case isIn(PlainQuantifier?, PlainPath, [PlainLiteral])
    /// The elements of a collection of values, in order.
    case whole(PlainPath, [PlainLiteral])
    /// A decimal plus a literal.
    case sum(PlainPath, PlainLiteral, PlainOperator, PlainLiteral)
    case count(PlainPath, PlainQuery, PlainOperator, Int64)

    var text: String { text("") }

    /// - Parameter prefix: the variable of a subquery.
    func text(_ prefix: String) -> String {
        func word(_ quantifier: PlainQuantifier?) -> String {
            quantifier.map { $0.rawValue + " " } ?? ""
        }
        func list(_ literals: [PlainLiteral]) -> String {
            "{" + literals.map(\.text).joined(separator: ", ") + "}"
        }
        switch self {
        case .and(let left, let right): return "(\(left.text(prefix)) AND \(right.text(prefix)))"
        case .or(let left, let right): return "(\(left.text(prefix)) OR \(right.text(prefix)))"
        case .not(let inner): return "NOT (\(inner.text(prefix)))"
        case .compare(let quantifier, let path, let operation, let literal):
            return "\(word(quantifier))\(path.text(prefix)) \(operation.rawValue) \(literal.text)"
        case .mirrored(let literal, let operation, let quantifier, let path):
            return "\(literal.text) \(operation.rawValue) \(word(quantifier))\(path.text(prefix))"
        case .list(let outer, let path, let operation, let inner, let literals, let isListFirst):
            let one = "\(outer.rawValue) \(path.text(prefix))"
            let other = "\(inner.rawValue) \(list(literals))"
            return isListFirst
                ? "\(other) \(operation.rawValue) \(one)" : "\(one) \(operation.rawValue) \(other)"
        case .isIn(let quantifier, let path, let literals):
            return "\(word(quantifier))\(path.text(prefix)) IN \(list(literals))"
        case .whole(let path, let literals): return "\(path.text(prefix)) == \(list(literals))"
        case .sum(let path, let added, let operation, let literal):
            return "\(path.text(prefix)) + \(added.text) \(operation.rawValue) \(literal.text)"
        case .count(let path, let condition, let operation, let count):
            let variable = prefix.isEmpty ? "$v" : prefix + "v"
            return "SUBQUERY(\(path.text(prefix)), \(variable), \(condition.text(variable)))"
                + ".@count \(operation.rawValue) \(count)"
        }
    }
}

enum PlainQuantifier: String, CaseIterable {
    case any = "ANY"
    case all = "ALL"
    case none = "NONE"

    func holds<Element>(_ elements: [Element], _ condition: (Element) -> Bool) -> Bool {
        switch self {
        case .any: elements.contains(where: condition)
        case .all: elements.allSatisfy(condition)
        case .none: !elements.contains(where: condition)
        }
    }
}

enum PlainOperator: String, CaseIterable {
    case equal = "=="
    case notEqual = "!="
    case less = "<"
    case lessOrEqual = "<="
    case greater = ">"
    case greaterOrEqual = ">="
    case contains = "CONTAINS"
    case containsFolded = "CONTAINS[c]"
    case beginsWith = "BEGINSWITH"
    case equalFolded = "==[c]"

    static let orders: [PlainOperator] = [
        .equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual,
    ]
    static let texts: [PlainOperator] = [.contains, .containsFolded, .beginsWith, .equalFolded]

    var mirrored: PlainOperator {
        switch self {
        case .less: .greater
        case .lessOrEqual: .greaterOrEqual
        case .greater: .less
        case .greaterOrEqual: .lessOrEqual
        default: self
        }
    }
}

enum PlainLiteral: Equatable {
    case null
    /// The digits of a number as written.
    case number(String)
    case text(String)

    var text: String {
        switch self {
        case .null: "nil"
        case .number(let digits): digits
        case .text(let text): "\"\(text)\""
        }
    }
}

/// The steps from an object to values.
struct PlainPath {
    enum Step: Equatable {
        case name(String)
        case index(Int)
        case key(String)
        case all
        case keys
    }

    var steps: [Step]
    /// Whether there may be several values.
    var isMultiple: Bool

    func text(_ prefix: String) -> String {
        var text = prefix
        for step in steps {
            switch step {
            case .name(let name): text += (text.isEmpty ? "" : ".") + name
            case .index(let index): text += "[\(index)]"
            case .key(let key): text += "[\"\(key)\"]"
            case .all: text += "[*]"
            case .keys: text += ".@keys"
            }
        }
        return text
    }
}
