import FirnValues

/// Parses a condition or a value by operator precedence.
///
/// There are two stacks on the heap: one for complete operands, and one for operators, parentheses
/// and lists that are incomplete.
///
/// A parenthesis can contain a condition or a value. Both are operands, and the requirements of an
/// operator are checked when it is applied.
struct ExpressionParser {
    enum Operand {
        case expression(Expression)
        case predicate(Predicate)

        var range: SourceRange {
            switch self {
            case .expression(let expression): expression.range
            case .predicate(let predicate): predicate.range
            }
        }
    }

    /// An entry that waits for its operands.
    enum Operation {
        case or
        case and
        case not
        case compare(Comparison.Operator, Comparison.Options, negated: Bool)
        case quantify(Quantifier)
        /// `+ -` or `* /`.
        ///
        /// The operators so far are in ``Entry/terms``.
        case additive
        case multiplicative
        case negate
        case open(Opening)

        /// The precedence, where a higher one binds tighter.
        ///
        /// An opening stops every reduction.
        var precedence: Int {
            switch self {
            case .open: 0
            case .or: 1
            case .and: 2
            case .not: 3
            case .compare: 4
            case .quantify: 5
            case .additive: 6
            case .multiplicative: 7
            case .negate: 8
            }
        }
    }

    enum Opening {
        case group
        /// A list in brackets or braces or, after IN and BETWEEN, in parentheses.
        case list(closing: Token.Symbol)
        case call(name: String)
        /// `@sum(...)`, possibly for the objects of a path.
        case aggregate(name: String, path: Path?)
        case subquery(path: Path, variable: String, variableRange: SourceRange)

        var closing: Token.Symbol {
            if case .list(let closing) = self { closing } else { .rightParenthesis }
        }
    }

    struct Entry {
        let operation: Operation
        /// The range of the operator or opening.
        let range: SourceRange
        /// The number of operators in this chain of `and` or `or`.
        var chainLength = 1
        /// The operators of a chain of `additive` or `multiplicative`.
        var terms: [(operator: ArithmeticOperator, range: SourceRange)] = []
        /// The operands below this index are outside the opening.
        var operandBase = 0
        /// The keys of a map, whose last value may not be there yet.
        var mapKeys: [Expression.Key] = []
        /// The index of the condition after WHERE among the operands.
        var clauseBase: Int?
        /// The index of the first key after BY among the operands.
        var keysBase: Int?
    }

    /// The result of parsing at a position where an operator is valid.
    enum Step {
        case needsOperand
        case closed
        case end
    }

    var operands: [Operand] = []
    var entries: [Entry] = []
    /// The indices of the openings among the entries.
    var openings: [Int] = []
    /// The number of openings and prefix operators among the entries.
    private var depth = 0

    mutating func parsePredicate(_ parser: inout Parser) throws(QueryError) -> Predicate {
        try condition(try parse(&parser), &parser)
    }

    mutating func parseExpression(_ parser: inout Parser) throws(QueryError) -> Expression {
        try value(try parse(&parser))
    }

    /// Parses a value, or a condition in place of a value.
    mutating func parseValueOrCondition(_ parser: inout Parser) throws(QueryError) -> Expression {
        valueOrCondition(try parse(&parser))
    }

    private mutating func parse(_ parser: inout Parser) throws(QueryError) -> Operand {
        var needsOperand = true
        while true {
            if needsOperand {
                needsOperand = try !parseOperand(&parser)
                continue
            }
            switch try parseOperator(&parser) {
            case .needsOperand: needsOperand = true
            case .closed: break
            case .end:
                try reduce(tighterThan: 0, &parser)
                guard let operand = operands.popLast() else { throw parser.unexpected("a value") }
                return operand
            }
        }
    }

    // MARK: Entries

    mutating func pushPrefix(_ operation: Operation, at range: SourceRange) throws(QueryError) {
        try deepen(range)
        entries.append(Entry(operation: operation, range: range))
    }

    mutating func pushOpening(_ opening: Opening, at range: SourceRange) throws(QueryError) {
        try deepen(range)
        openings.append(entries.count)
        entries.append(
            Entry(operation: .open(opening), range: range, operandBase: operands.count))
    }

    mutating func popEntry() -> Entry? {
        guard let entry = entries.popLast() else { return nil }
        switch entry.operation {
        case .open:
            openings.removeLast()
            depth -= 1
        case .not, .quantify, .negate: depth -= 1
        default: break
        }
        return entry
    }

    private mutating func deepen(_ range: SourceRange) throws(QueryError) {
        guard depth < QueryLimits.nestingMax else {
            throw QueryError(
                .limit,
                "the query nests deeper than \(QueryLimits.nestingMax) levels", at: range.bytes)
        }
        depth += 1
    }
}
