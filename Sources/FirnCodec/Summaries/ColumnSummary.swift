package import FirnValues

/// What aggregates need of the selected rows of a page; pages add up with ``formUnion(_:)``.
package struct ColumnSummary: Hashable, Sendable {
    /// Selected rows that are not null.
    package var count = 0
    /// The exact sum of an Int column; it cannot overflow.
    package var integerSum: Int128 = 0
    /// The sum of an Int, Float or Double column, of doubles in row order; those of Float are
    /// added as doubles.
    package var doubleSum: Double = 0
    /// Whether the sums are those of all selected values.
    ///
    /// False as soon as a value is of a column that is not Int, Float or Double. Decimals are not
    /// added up: no double has their sum, and arithmetic of 34 digits is not part of this layer.
    package var hasSum = true
    /// The least and the greatest value in the order of sorting, NaN left out.
    package var minimum: Value?
    package var maximum: Value?

    package init() {}

    /// The sum of an Int column; nil if it does not fit, or if there is none.
    package var intSum: Int64? { hasSum ? Int64(exactly: integerSum) : nil }

    /// Adds another page.
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
