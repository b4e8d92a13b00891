package import FirnValues

/// An expression that has a value for each object.
package indirect enum Expression: Hashable, Sendable {
    /// A key of a map.
    package struct Key: Hashable, Sendable {
        package let text: String
        let range: SourceRange
    }

    case literal(Literal, SourceRange)
    /// An argument: `$name`.
    case argument(String, SourceRange)
    /// `%@`, with its index among the `%@` and `%K` of the text.
    case placeholder(Int, SourceRange)
    case path(Path)
    /// `{a, b}`, `[a, b]`, or `(a, b)` after IN and BETWEEN.
    case list([Expression], SourceRange)
    /// `{"a": 1, "b": 2}`, with as many keys as values.
    case map(keys: [Key], values: [Expression], SourceRange)
    case call(String, [Expression], SourceRange)
    /// Terms of the same precedence, `+ -` or `* /`, from left to right.
    ///
    /// They form a chain, so that a long sum is not a deep tree.
    case arithmetic(Expression, [ArithmeticTerm])
    case negation(Expression, SourceRange)
    case quantified(Quantifier, Expression, SourceRange)
    case subquery(Subquery)
    case aggregate(AggregateCall)
    /// A condition in place of a value: whether it holds.
    case condition(Predicate)

    package var range: SourceRange {
        switch self {
        case .literal(_, let range), .argument(_, let range), .placeholder(_, let range),
            .list(_, let range), .map(_, _, let range),
            .call(_, _, let range), .negation(_, let range), .quantified(_, _, let range):
            range
        case .path(let path): path.range
        case .arithmetic(let first, let rest):
            rest.last.map { first.range.to($0.operand.range) } ?? first.range
        case .subquery(let subquery): subquery.range
        case .aggregate(let call): call.range
        case .condition(let predicate): predicate.range
        }
    }
}

/// A literal value.
package enum Literal: Hashable, Sendable {
    case value(Value)
    /// A number that is not an Int.
    case number(NumberLiteral)
    /// A duration: `250ms 5s 2m 1h 7d`.
    case duration(milliseconds: Int64)
}

package enum ArithmeticOperator: String, Hashable, Sendable, CaseIterable {
    case add = "+"
    case subtract = "-"
    case multiply = "*"
    case divide = "/"
    case remainder = "%"
}

/// An operand of a chain with the operator before it.
package struct ArithmeticTerm: Hashable, Sendable {
    package let `operator`: ArithmeticOperator
    package let operatorRange: SourceRange
    package let operand: Expression

    package init(
        operator: ArithmeticOperator, operatorRange: SourceRange, operand: Expression
    ) {
        self.operator = `operator`
        self.operatorRange = operatorRange
        self.operand = operand
    }
}

/// The number of elements of a collection that must satisfy a comparison.
package enum Quantifier: String, Hashable, Sendable, CaseIterable {
    /// At least one element, with SOME as a synonym.
    case any = "ANY"
    case all = "ALL"
    case none = "NONE"
}

/// The number of objects in a collection that pass: `SUBQUERY(path, $variable, predicate).@count`.
package struct Subquery: Hashable, Sendable {
    package let path: Path
    package let variable: String
    package let variableRange: SourceRange
    package let predicate: Predicate
    package let range: SourceRange

    package init(
        path: Path, variable: String, variableRange: SourceRange, predicate: Predicate,
        range: SourceRange
    ) {
        self.path = path
        self.variable = variable
        self.variableRange = variableRange
        self.predicate = predicate
        self.range = range
    }
}
