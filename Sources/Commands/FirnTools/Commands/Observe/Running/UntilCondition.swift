import FirnEngine
import FirnQuery
import FirnSyntax
import FirnValues

/// The condition of `--until` on the result as a whole: `count == 0`, `@sum.price > 100`.
struct UntilCondition {
    /// An aggregate value of the result.
    private enum Subject {
        case count
        /// One of ``aggregates``, by its index.
        case aggregate(Int)
        case constant(Value)
        /// A number that is compared with the precision of the other value.
        case number(NumberLiteral)
    }

    private indirect enum Node {
        case and([Node])
        case or([Node])
        case not(Node)
        case always(Bool)
        case compare(Subject, Comparison.Operator, Subject)
    }

    /// The typed text, for errors.
    let text: String
    private var root = Node.always(true)
    /// The texts of the aggregates besides the count.
    private(set) var aggregates: [String] = []
    private let arguments: QueryArguments

    /// - Parameter arguments: the values of `$name`.
    init(_ text: String, _ arguments: QueryArguments) throws(QueryError) {
        self.text = text
        self.arguments = arguments
        let statement = try Statement.parse(text, entry: .predicate)
        guard statement.stages.count == 1,
            case .filter(let predicate)? = statement.stages.first?.kind
        else { throw mistake("expected one condition", 0..<text.utf8.count) }
        root = try node(predicate)
    }

    private func mistake(_ message: String, _ range: Range<Int>) -> QueryError {
        QueryError(
            .usage, message, at: range,
            hint: "for example count == 0, or @sum.price > 100 AND @max.age < 50")
    }

    // MARK: Reading

    private mutating func node(_ predicate: Predicate) throws(QueryError) -> Node {
        switch predicate {
        case .and(let operands, _): return .and(try nodes(operands))
        case .or(let operands, _): return .or(try nodes(operands))
        case .not(let operand, _): return .not(try node(operand))
        case .constant(let value, _): return .always(value)
        case .property(let path):
            throw mistake("expected a comparison", path.range.bytes)
        case .comparison(let comparison):
            let known: [Comparison.Operator] = [
                .equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual,
            ]
            guard known.contains(comparison.operator), comparison.options.isEmpty else {
                throw mistake(
                    "aggregate values are compared with == != < <= > >=",
                    comparison.operatorRange.bytes)
            }
            return .compare(
                try subject(comparison.left), comparison.operator, try subject(comparison.right))
        }
    }

    private mutating func nodes(_ predicates: [Predicate]) throws(QueryError) -> [Node] {
        var nodes: [Node] = []
        for predicate in predicates { nodes.append(try node(predicate)) }
        return nodes
    }

    private mutating func subject(_ expression: Expression) throws(QueryError) -> Subject {
        switch expression {
        case .literal(.value(let value), _): return .constant(value)
        case .literal(.number(let number), _): return .number(number)
        case .argument(let name, let range):
            guard let value = arguments[name] else {
                throw QueryError(
                    .missingParameter, "no value for $\(name)", at: range.bytes,
                    hint: "give it with -p \(name)=TEXT or -p \(name):=JSON")
            }
            if case .decimal128(let decimal) = value {
                return .number(NumberLiteral(double: decimal.nearestDouble, decimal: decimal))
            }
            if case .double(let double) = value, double.isFinite {
                return .number(
                    NumberLiteral(double: double, decimal: Decimal128(shortest: double)))
            }
            return .constant(value)
        case .path(let path):
            switch path.segments.first?.kind {
            case .name("count") where path.segments.count == 1: return .count
            case .attribute("@count") where path.segments.count == 1: return .count
            case .attribute:
                let utf8 = text.utf8
                let start = utf8.index(utf8.startIndex, offsetBy: path.range.bytes.lowerBound)
                let end = utf8.index(utf8.startIndex, offsetBy: path.range.bytes.upperBound)
                aggregates.append(String(text[start..<end]))
                return .aggregate(aggregates.count - 1)
            default: break
            }
        default: break
        }
        throw mistake(
            "only count, values such as @sum.price, and constants can be compared",
            expression.range.bytes)
    }

    // MARK: Deciding

    /// Returns the query for the aggregates of the result of a query.
    func aggregateText(_ query: BoundQuery) -> String {
        let stages = query.stages.filter { if case .project = $0 { false } else { true } }
        let base = BoundQuery(
            classSchema: query.classSchema, stages: stages, explain: false, text: query.text)
        let items = aggregates.enumerated().map { "\($1) AS until\($0)" }
        return "\(base.description) | project(\(items.joined(separator: ", ")))"
    }

    /// Converts an error in the text of the aggregates to an error in the condition, which the user
    /// typed.
    func placed(_ failure: QueryFailure) -> QueryFailure {
        guard case .query(let error) = failure else { return failure }
        return .query(
            QueryError(
                error.code, error.message, at: 0..<text.utf8.count, hint: error.hint,
                suggestions: error.suggestions, notes: error.notes))
    }

    /// - Parameter values: the values of ``aggregates``.
    func holds(count: Int, _ values: [Value]) -> Bool {
        UntilCondition.holds(root, Int64(count), values)
    }

    private static func holds(_ node: Node, _ count: Int64, _ values: [Value]) -> Bool {
        func value(_ subject: Subject) -> Value {
            switch subject {
            case .count: .int(count)
            case .aggregate(let index): values.indices.contains(index) ? values[index] : .null
            case .constant(let value): value
            case .number(let number): number.value(for: .any) ?? .double(number.double)
            }
        }
        func number(_ subject: Subject, against other: Value) -> Value {
            guard case .number(let number) = subject, let value = number.value(for: other.tag)
            else { return value(subject) }
            return value
        }
        switch node {
        case .and(let nodes): return nodes.allSatisfy { holds($0, count, values) }
        case .or(let nodes): return nodes.contains { holds($0, count, values) }
        case .not(let node): return !holds(node, count, values)
        case .always(let result): return result
        case .compare(let left, let comparison, let right):
            return holds(
                number(left, against: value(right)), comparison,
                number(right, against: value(left)))
        }
    }

    /// Compares two values; no value is less or greater than null.
    private static func holds(
        _ left: Value, _ comparison: Comparison.Operator, _ right: Value
    ) -> Bool {
        guard !left.isNull, !right.isNull, left.rank == right.rank else {
            let isEqual = left.isNull && right.isNull
            return comparison == .equal ? isEqual : comparison == .notEqual && !isEqual
        }
        let order = left.order(relativeTo: right)
        return switch comparison {
        case .equal: order == .equal
        case .notEqual: order != .equal
        case .less: order == .less
        case .lessOrEqual: order != .greater
        case .greater: order == .greater
        default: order != .less
        }
    }
}
