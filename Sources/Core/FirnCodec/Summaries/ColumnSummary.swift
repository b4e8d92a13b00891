package import FirnValues

/// Aggregates of the selected rows of a page.
///
/// Pages are combined with ``formUnion(_:)``.
package struct ColumnSummary: Hashable, Sendable {
    /// The number of selected rows that are not null.
    package var count = 0
    /// The exact sum of an Int column, which cannot overflow.
    package var integerSum: Int128 = 0
    /// The sum of an Int, Float or Double column.
    ///
    /// Doubles are added in row order, and Floats as doubles.
    package var doubleSum: Double = 0
    /// Whether the sums include all selected values.
    ///
    /// The value is false once a value is from a column that is not Int, Float or Double. Decimals
    /// are not added up: their sum does not fit a double, and arithmetic with 34 digits is not part
    /// of this layer.
    package var hasSum = true
    /// The minimum and maximum in sort order, excluding NaN.
    package var minimum: Value?
    package var maximum: Value?

    package init() {}

    /// The sum of an Int column; `nil` if it overflows, or if there is none.
    package var intSum: Int64? { hasSum ? Int64(exactly: integerSum) : nil }

    /// Adds the summary of another page.
    package mutating func formUnion(_ other: ColumnSummary) {
        count += other.count
        integerSum += other.integerSum
        doubleSum += other.doubleSum
        hasSum = hasSum && other.hasSum
        if let value = other.minimum, minimum.map({ value.order(relativeTo: $0) == .less }) ?? true
        {
            minimum = value
        }
        if let value = other.maximum,
            maximum.map({ value.order(relativeTo: $0) == .greater }) ?? true
        {
            maximum = value
        }
    }
}
