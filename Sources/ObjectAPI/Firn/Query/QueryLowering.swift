import FirnQuery
import FirnSyntax
import FirnValues

/// Converts a recorded condition to a syntax tree of the query language.
struct QueryLowering {
    let instance: RealmInstance
    /// The path to the counted collection, inside the condition of a count.
    var counted: [Path.Segment.Kind]?

    private static let variable = "element"

    func predicate(_ node: QueryNode) -> Predicate {
        switch node {
        case .all(let operands): return .and(operands.map { predicate($0) }, .nowhere)
        case .oneOf(let operands): return .or(operands.map { predicate($0) }, .nowhere)
        case .not(let operand): return .not(predicate(operand), .nowhere)
        case .comparison(let left, let operation, let options, let right):
            return .comparison(
                Comparison(
                    left: expression(left), operator: operation, options: options,
                    right: expression(right), operatorRange: .nowhere))
        case .path(let path):
            guard case .path(let path) = expression(path) else {
                misuse("where { } gave an object and no condition")
            }
            return .property(path)
        case .within(let values, let lower, let upper): return within(values, lower, upper)
        case .value, .values, .any, .countOf: misuse("where { } gave a value and no condition")
        }
    }

    private func expression(_ node: QueryNode) -> Expression {
        switch node {
        case .path(let path): return expression(path)
        case .value(let value): return .literal(.value(instance.comparable(value)), .nowhere)
        case .values(let values):
            return .list(
                values.map { .literal(.value(instance.comparable($0)), .nowhere) }, .nowhere)
        case .any(let node): return .quantified(.any, expression(node), .nowhere)
        case .countOf(let condition): return count(condition)
        case .comparison, .all, .oneOf, .not, .within:
            misuse("a condition is compared with something: combine conditions with && and ||")
        }
    }

    private func expression(_ path: QueryPath) -> Expression {
        var segments = path.segments
        var variable: String?
        if let counted, segments.starts(with: counted) {
            segments.removeFirst(counted.count)
            variable = QueryLowering.variable
            if segments.isEmpty { return .argument(QueryLowering.variable, .nowhere) }
        }
        guard !segments.isEmpty else {
            misuse("the object itself is compared: name one of its properties")
        }
        return .path(
            Path(
                variable: variable,
                segments: segments.map { Path.Segment($0, range: .nowhere) }, range: .nowhere))
    }

    // MARK: Counts

    private func count(_ condition: QueryNode) -> Expression {
        guard counted == nil else { misuse("the count of a condition inside of another one") }
        guard let collection = condition.firstCollection else {
            misuse("count needs a condition on the elements of a collection")
        }
        let inner = QueryLowering(instance: instance, counted: collection)
        return .subquery(
            Subquery(
                path: Path(
                    segments: collection.map { Path.Segment($0, range: .nowhere) }, range: .nowhere),
                variable: QueryLowering.variable, variableRange: .nowhere,
                predicate: inner.predicate(condition), range: .nowhere))
    }

    // MARK: Ranges

    /// Returns a condition that a single element is between both values.
    private func within(_ values: QueryNode, _ lower: Any, _ upper: Any) -> Predicate {
        let first = instance.comparable(lower)
        let end = instance.comparable(upper)
        guard first.order(relativeTo: end) == .less else { return .constant(false, .nowhere) }
        if let last = end.predecessor {
            return .comparison(
                Comparison(
                    left: expression(values), operator: .between,
                    right: .list([first, last].map { .literal(.value($0), .nowhere) }, .nowhere),
                    operatorRange: .nowhere))
        }
        let bounds: QueryNode = .all([
            .comparison(values, .greaterOrEqual, [], .value(lower)),
            .comparison(values, .less, [], .value(upper)),
        ])
        return predicate(.comparison(.countOf(bounds), .greater, [], .value(0)))
    }
}

extension RealmInstance {
    /// Returns a value of the program as a constant of the query language.
    ///
    /// The language has no Floats, so that each is converted to an equal Double.
    func comparable(_ value: Any) -> Value {
        argument(value).withoutFloat
    }
}

extension Value {
    /// The same value as a constant of the query language.
    var withoutFloat: Value {
        switch self {
        case .float(let number): .double(Double(number))
        case .list(let values): .list(values.map(\.withoutFloat))
        default: self
        }
    }

    /// The highest value of the type below this one, if it can be determined.
    fileprivate var predecessor: Value? {
        switch self {
        case .int(let number): number == .min ? nil : .int(number - 1)
        case .double(let number): .double(number.nextDown)
        case .date(let time):
            .date(Timestamp(seconds: time.seconds, nanoseconds: Int64(time.nanoseconds) - 1))
        default: nil
        }
    }
}
