import FirnEngine
import FirnValues

/// The value of an expression without properties, while it is computed.
private enum Constant {
    case value(Value)
    case duration(milliseconds: Int64)

    var typeName: String {
        switch self {
        case .value(let value): value.tag.name
        case .duration: "a duration"
        }
    }
}

extension Binder {
    /// The value of an expression that depends on no object.
    func constant(_ expression: Expression) throws(QueryError) -> Value {
        switch try evaluate(expression) {
        case .value(let value): return value
        case .duration:
            throw typeError(
                "a duration is not a value by itself", expression.range,
                hint: "such as now() - 7d")
        }
    }

    private func evaluate(_ expression: Expression) throws(QueryError) -> Constant {
        switch expression {
        case .literal(.value(let value), _): return .value(value)
        case .literal(.duration(let milliseconds), _):
            return .duration(milliseconds: milliseconds)
        case .argument:
            guard case .constant(let value) = try operand(expression) else {
                throw typeError("a list is not a number", expression.range)
            }
            return .value(value)
        case .call(let name, let arguments, let range):
            guard name.lowercased() == "now", arguments.isEmpty else {
                throw unsupported("the function \(name.shortened)", range)
            }
            return .value(.date(context.now))
        case .negation(let inner, let range): return try negated(inner, range)
        case .arithmetic(let first, let rest): return try chain(first, rest, expression.range)
        case .path, .list, .quantified, .subquery:
            throw unsupported("arithmetic with properties", expression.range)
        }
    }

    private func negated(
        _ inner: Expression, _ range: SourceRange
    ) throws(QueryError) -> Constant {
        if case .path(let path) = inner {
            _ = try column(path)
            throw unsupported("arithmetic with properties", range)
        }
        switch try evaluate(inner) {
        case .value(.int(let number)) where number != .min: return .value(.int(-number))
        case .value(.double(let number)): return .value(.double(-number))
        case .duration(let milliseconds) where milliseconds != .min:
            return .duration(milliseconds: -milliseconds)
        case let other: throw typeError("\(other.typeName) has no negative", range)
        }
    }

    private func chain(
        _ first: Expression, _ rest: [ArithmeticTerm], _ range: SourceRange
    ) throws(QueryError) -> Constant {
        try checkHyphenatedName(range)
        for operand in [first] + rest.map(\.operand) {
            guard case .path(let path) = operand else { continue }
            _ = try column(path)
            throw unsupported("arithmetic with properties", range)
        }
        var result = try evaluate(first)
        for term in rest {
            let right = try evaluate(term.operand)
            result = try combine(result, term.operator, right, term.operatorRange)
        }
        return result
    }

    /// `a-b` is a subtraction even if the class has a property `a-b`; the error says so.
    private func checkHyphenatedName(_ range: SourceRange) throws(QueryError) {
        let name = typed(range)
        guard classSchema.propertyNamed(name) != nil else { return }
        throw QueryError(
            .unknownProperty, "\(name) is a subtraction", at: range.bytes,
            hint: "write `\(name)` for the property", suggestions: ["`\(name)`"])
    }

    private func combine(
        _ left: Constant, _ operation: ArithmeticOperator, _ right: Constant, _ range: SourceRange
    ) throws(QueryError) -> Constant {
        let combined: Constant?
        switch (left, right) {
        case (.value(.int(let left)), .value(.int(let right))):
            combined = Binder.integers(left, operation, right).map { .value(.int($0)) }
        case (.value(let leftValue), .value(let rightValue)):
            guard let left = Binder.double(leftValue), let right = Binder.double(rightValue) else {
                throw mismatch(.value(leftValue), operation, .value(rightValue), range)
            }
            combined = .value(.double(Binder.doubles(left, operation, right)))
        case (.value(.date(let date)), .duration(let milliseconds))
        where operation == .add || operation == .subtract:
            combined = Binder.moved(date, milliseconds, forward: operation == .add)
                .map { .value(.date($0)) }
        case (.duration(let milliseconds), .value(.date(let date))) where operation == .add:
            combined = Binder.moved(date, milliseconds, forward: true).map { .value(.date($0)) }
        case (.duration(let left), .duration(let right))
        where operation == .add || operation == .subtract:
            combined = Binder.integers(left, operation, right).map { .duration(milliseconds: $0) }
        default: throw mismatch(left, operation, right, range)
        }
        guard let combined else {
            throw typeError("the result of this \(operation.rawValue) does not exist", range)
        }
        return combined
    }

    private func mismatch(
        _ left: Constant, _ operation: ArithmeticOperator, _ right: Constant, _ range: SourceRange
    ) -> QueryError {
        typeError(
            "cannot compute \(left.typeName) \(operation.rawValue) \(right.typeName)", range)
    }

    /// The exact result, or nil if there is none in 64 bits.
    private static func integers(
        _ left: Int64, _ operation: ArithmeticOperator, _ right: Int64
    ) -> Int64? {
        let result =
            switch operation {
            case .add: left.addingReportingOverflow(right)
            case .subtract: left.subtractingReportingOverflow(right)
            case .multiply: left.multipliedReportingOverflow(by: right)
            case .divide: left.dividedReportingOverflow(by: right)
            }
        return result.overflow ? nil : result.partialValue
    }

    private static func doubles(
        _ left: Double, _ operation: ArithmeticOperator, _ right: Double
    ) -> Double {
        switch operation {
        case .add: left + right
        case .subtract: left - right
        case .multiply: left * right
        case .divide: left / right
        }
    }

    private static func double(_ value: Value) -> Double? {
        switch value {
        case .int(let number): Double(number)
        case .float(let number): Double(number)
        case .double(let number): number
        default: nil
        }
    }

    /// A moment so much later or earlier; nil beyond the range of timestamps.
    private static func moved(
        _ date: Timestamp, _ milliseconds: Int64, forward: Bool
    ) -> Timestamp? {
        guard let distance = forward ? milliseconds : integers(0, .subtract, milliseconds),
            let seconds = integers(date.seconds, .add, distance / 1_000)
        else { return nil }
        let nanoseconds = Int64(date.nanoseconds) + distance % 1_000 * 1_000_000
        return Timestamp(seconds: seconds, nanoseconds: nanoseconds)
    }
}
