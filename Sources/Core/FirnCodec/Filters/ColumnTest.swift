package import FirnValues

/// The operator of a comparison between two values.
package enum ComparisonOperator: String, Sendable, CaseIterable {
    case equal = "=="
    case notEqual = "!="
    case less = "<"
    case lessOrEqual = "<="
    case greater = ">"
    case greaterOrEqual = ">="

    /// The equivalent operator for exchanged sides.
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

/// A test of one column that can be evaluated on its encoded form.
///
/// The other side is a constant. Logic has two values: a row passes or it does not.
///
/// A null passes only `isNull`, `compare(.notEqual, ...)` with a constant that is not null, and a
/// `text` pattern that matches null. Constants for a numeric column may be of any numeric kind; the
/// comparison is exact.
package enum ColumnTest: Hashable, Sendable {
    case isNull
    case isNotNull
    /// A comparison with a constant that is not null.
    case compare(ComparisonOperator, Value)
    /// A range that includes both bounds, neither of which is null.
    case between(Value, Value)
    /// Equality with one of several values.
    ///
    /// A null among them matches null.
    case oneOf([Value])
    case text(TextPattern)
}
