package import FirnValues

/// How two values are compared.
package enum ComparisonOperator: String, Sendable, CaseIterable {
    case equal = "=="
    case notEqual = "!="
    case less = "<"
    case lessOrEqual = "<="
    case greater = ">"
    case greaterOrEqual = ">="

    /// The operator that says the same with both sides exchanged.
    package var mirrored: ComparisonOperator {
        switch self {
        case .equal, .notEqual: self
        case .less: .greater
        case .lessOrEqual: .greaterOrEqual
        case .greater: .less
        case .greaterOrEqual: .lessOrEqual
        }
    }
}

/// A question about one column that can be answered on its encoded form.
///
/// The other side is a constant. Logic has two values: a row passes or it does not.
///
/// A null passes only `isNull`, `compare(.notEqual, ...)` with a constant that is not null,
/// and what a `text` pattern says of null. Constants may be of any numeric kind against a numeric
/// column: the comparison is exact.
package enum ColumnTest: Hashable, Sendable {
    case isNull
    case isNotNull
    /// The constant is not null.
    case compare(ComparisonOperator, Value)
    /// Both ends belong to the range; neither is null.
    case between(Value, Value)
    /// Equal to one of them; a null among them matches null.
    case oneOf([Value])
    case text(TextPattern)
}
