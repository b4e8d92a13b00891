import FirnQuery
import FirnSyntax
import FirnValues
import Foundation

/// Converts a recorded condition to a text of the query language and its arguments.
struct QueryFormat {
    private(set) var arguments: [Any] = []
    /// The name of the value that the query represents; `nil` for an object, whose properties have
    /// names.
    private let root: String?
    /// The path to the counted collection, inside the condition of a count.
    private var counted: [Path.Segment.Kind]?

    private static let variable = "$element"

    init(root: String? = nil) { self.root = root }

    mutating func condition(_ node: QueryNode) -> String {
        switch node {
        case .all(let operands): return joined(operands, " AND ")
        case .oneOf(let operands): return joined(operands, " OR ")
        case .not(let operand): return "NOT (\(condition(operand)))"
        case .comparison(let left, let operation, let options, let right):
            let subject = operand(left)
            return "\(subject) \(operation.rawValue)\(options.text) \(operand(right))"
        case .path(let path): return text(path)
        case .within(let values, let lower, let upper):
            let bounds: QueryNode = .all([
                .comparison(values, .greaterOrEqual, [], .value(lower)),
                .comparison(values, .less, [], .value(upper)),
            ])
            return condition(.comparison(.countOf(bounds), .greater, [], .value(0)))
        case .value, .values, .any, .countOf: misuse("the query is a value and no condition")
        }
    }

    private mutating func joined(_ operands: [QueryNode], _ word: String) -> String {
        var parts: [String] = []
        for operand in operands { parts.append(condition(operand)) }
        return "(" + parts.joined(separator: word) + ")"
    }

    private mutating func operand(_ node: QueryNode) -> String {
        switch node {
        case .path(let path): return text(path)
        case .value(let value): return argument(something(in: value) ?? NSNull())
        case .values(let values):
            return argument(values.map { something(in: $0) ?? NSNull() })
        case .any(let node): return "ANY \(operand(node))"
        case .countOf(let condition): return count(condition)
        case .comparison, .all, .oneOf, .not, .within:
            misuse("a condition is compared with something: combine conditions with && and ||")
        }
    }

    private mutating func argument(_ value: Any) -> String {
        arguments.append(value)
        return "%@"
    }

    private mutating func count(_ node: QueryNode) -> String {
        guard counted == nil else { misuse("the count of a condition inside of another one") }
        guard let collection = node.firstCollection else {
            misuse("count needs a condition on the elements of a collection")
        }
        let path = text(collection[...])
        counted = collection
        defer { counted = nil }
        return "SUBQUERY(\(path), \(QueryFormat.variable), \(condition(node))).@count"
    }

    private mutating func text(_ path: QueryPath) -> String {
        var segments = path.segments[...]
        var start = root ?? ""
        if let counted, segments.starts(with: counted) {
            segments = segments.dropFirst(counted.count)
            start = QueryFormat.variable
        }
        guard !segments.isEmpty || !start.isEmpty else {
            misuse("the object itself is compared: name one of its properties")
        }
        guard !segments.isEmpty else { return start }
        let rest = text(segments)
        return start.isEmpty || rest.hasPrefix("[") ? start + rest : "\(start).\(rest)"
    }

    private mutating func text(_ segments: ArraySlice<Path.Segment.Kind>) -> String {
        var text = ""
        for segment in segments {
            let dot = text.isEmpty ? "" : "."
            switch segment {
            case .name(let name): text += dot + Canonical.name(name)
            case .attribute(let name): text += dot + name
            case .index(.position(let position)): text += "[\(position)]"
            case .index(.key(let key)): text += "[\(argument(key))]"
            case .index(.all): text += "[*]"
            case .index, .placeholder: misuse("a step that no query in code has")
            }
        }
        return text
    }
}

extension Comparison.Options {
    /// The options in brackets, as they follow an operator.
    fileprivate var text: String {
        let marks =
            (contains(.caseInsensitive) ? "c" : "") + (contains(.diacriticInsensitive) ? "d" : "")
        return marks.isEmpty ? "" : "[\(marks)]"
    }
}

extension Query where T == Bool {
    /// Returns the condition as a text, and the arguments of its placeholders.
    ///
    /// ``RealmCollection/filter(_:arguments:)`` with these values is equivalent to `where`. For
    /// example, the result for `$0.age > 30` is `"age > %@"` and `[30]`.
    public func _constructPredicate() -> (String, [Any]) {
        var format = QueryFormat()
        let text = format.condition(node)
        return (text, format.arguments)
    }
}

extension Query {
    /// Returns a query that represents an object, for tests without a collection.
    public static func _constructForTesting() -> Query { Query() }
}
