package import FirnCodec
package import FirnEngine
import FirnValues

/// A condition on rows, in two-valued logic.
///
/// A row either passes or does not. `not` is the complement of the set of rows, so a row whose
/// value is null passes `NOT (x > 5)`.
///
/// Invariants: `and` and `or` have at least two operands, and no operand is of the same kind as its
/// parent. No `always` is below another node. No `not` is directly below another `not`.
package indirect enum BoundPredicate: Hashable, Sendable {
    case always(Bool)
    case and([BoundPredicate])
    case or([BoundPredicate])
    case not(BoundPredicate)
    /// The target of a single link passes; `ifNil` is the result without a target.
    case linkMatches(PropertySchema, ClassSchema, BoundPredicate, ifNil: Bool)
    case comparison(BoundComparison)
    /// The object itself is a location inside the region; used after a link to such an object.
    case isWithin(GeoLocation, GeoRegion)
}

extension BoundPredicate {
    /// Returns the comparison of a column with constants.
    package static func test(_ column: BoundColumn, _ test: ColumnTest) -> BoundPredicate {
        .comparison(BoundComparison(.init(.column(column)), .constant(test)))
    }

    /// The column that is compared with constants, and the comparison; `nil` for any other
    /// condition.
    package var columnTest: (column: BoundColumn, test: ColumnTest)? {
        guard case .comparison(let comparison) = self,
            case .column(let column) = comparison.left.value,
            case .constant(let test) = comparison.test
        else { return nil }
        return (column, test)
    }
}
