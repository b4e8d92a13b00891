import FirnValues

/// A condition on one object.
///
/// Invariant: `and` and `or` have at least two operands. An operand of the same kind as its parent
/// was in parentheses.
package indirect enum Predicate: Hashable, Sendable {
    case and([Predicate], SourceRange)
    case or([Predicate], SourceRange)
    case not(Predicate, SourceRange)
    /// TRUEPREDICATE or FALSEPREDICATE.
    case constant(Bool, SourceRange)
    /// A bare path: a Bool property that must be true.
    case property(Path)
    case comparison(Comparison)

    package var range: SourceRange {
        switch self {
        case .and(_, let range), .or(_, let range), .not(_, let range), .constant(_, let range):
            range
        case .property(let path): path.range
        case .comparison(let comparison): comparison.range
        }
    }
}

/// Two expressions with an operator between them.
package struct Comparison: Hashable, Sendable {
    package enum Operator: String, Hashable, Sendable, CaseIterable {
        case equal = "=="
        case notEqual = "!="
        case less = "<"
        case lessOrEqual = "<="
        case greater = ">"
        case greaterOrEqual = ">="
        case beginsWith = "BEGINSWITH"
        case endsWith = "ENDSWITH"
        case contains = "CONTAINS"
        case like = "LIKE"
        case matches = "MATCHES"
        case text = "TEXT"
        case geoWithin = "GEOWITHIN"
        case oneOf = "IN"
        case between = "BETWEEN"
    }

    /// The options in brackets after an operator.
    ///
    /// The binder converts them to `TextPattern.Options` of FirnCodec by their raw value, and
    /// `TextMatcher` evaluates them.
    package struct Options: OptionSet, Hashable, Sendable {
        package let rawValue: UInt8
        package init(rawValue: UInt8) { self.rawValue = rawValue }
        /// `[c]`: ignores case.
        package static let caseInsensitive = Options(rawValue: 1)
        /// `[d]`: ignores diacritics.
        package static let diacriticInsensitive = Options(rawValue: 2)
    }

    package let left: Expression
    package let `operator`: Operator
    package let options: Options
    package let right: Expression
    /// The range of the operator with its options.
    package let operatorRange: SourceRange

    package init(
        left: Expression, operator: Operator, options: Options = [], right: Expression,
        operatorRange: SourceRange
    ) {
        self.left = left
        self.operator = `operator`
        self.options = options
        self.right = right
        self.operatorRange = operatorRange
    }

    package var range: SourceRange { left.range.to(right.range) }
}
