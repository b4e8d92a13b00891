package import FirnCodec

/// A condition on rows, in two-valued logic: a row passes or it does not, and `not` is the
/// complement of the set of rows, so that a row whose value is null passes `NOT (x > 5)`.
///
/// Invariants: `and` and `or` have at least two operands, none of them of the same kind as the
/// parent; no `always` stands below another node; no `not` stands directly below `not`.
package indirect enum BoundPredicate: Hashable, Sendable {
    case always(Bool)
    case and([BoundPredicate])
    case or([BoundPredicate])
    case not(BoundPredicate)
    /// A column against constants that fit its type: numbers of any kind for a numeric column,
    /// otherwise the very kind of the column.
    case test(BoundColumn, ColumnTest)
    /// Two columns of comparable types. Null equals null; `<` and `>` never hold with a null,
    /// `<=` and `>=` hold when both are null, `!=` is the complement of `==`.
    case compareColumns(BoundColumn, ComparisonOperator, BoundColumn)
}
