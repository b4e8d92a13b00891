import FirnCodec
import FirnSyntax
import FirnValues

/// A stage that turns the values of a key into columns, which ends a query.
///
///     Flight | group(carrier, month; @count, far = @max.distance) | pivot(month)
///
///     before    carrier  month    @count    far
///     after     carrier  1 @count  1 far  2 @count  2 far ...
///
/// The groups are divided by the keys in ``rows``, and the rows are in ascending order of these.
package struct BoundPivot: Hashable, Sendable {
    /// A value of each group, which fills a column for each value of the key.
    package struct Cell: Hashable, Sendable {
        /// The place among the columns of the preceding stage.
        let column: Int
        /// The aggregate whose result is the value; `nil` if the value is computed from several
        /// aggregates.
        let aggregate: BoundAggregate?
    }

    /// The places of the keys that name the rows, among the columns of the preceding stage.
    let rows: [Int]
    /// The place of the key that is turned.
    let column: Int
    let cells: [Cell]
    /// The values that become columns, in order; `nil` for all values in ascending order.
    let values: [Value]?
    /// The name of the turned key.
    let name: String
    /// The place in the text that an error about the values refers to.
    let range: SourceRange

    /// The maximum number of columns that values can become.
    static let columnCountMax = 1_000
}

extension BoundPivot: CustomStringConvertible {
    /// The stage in canonical form.
    package var description: String {
        let list = values.map { values in
            " IN {\(values.map { Canonical.literal($0) }.joined(separator: ", "))}"
        }
        return "pivot(\(Canonical.name(name))\(list ?? ""))"
    }
}
