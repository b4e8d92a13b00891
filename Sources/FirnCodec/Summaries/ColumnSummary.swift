package import FirnValues

/// What aggregates need of the selected rows of a page; pages add up with ``formUnion(_:)``.
package struct ColumnSummary: Hashable, Sendable {
    /// Selected rows that are not null.
    package var count = 0
    /// The exact sum of an Int column; it cannot overflow.
    package var integerSum: Int128 = 0
    /// The sum of an Int or Double column, of doubles in row order.
    package var doubleSum: Double = 0
    /// The least and the greatest value in the order of sorting, NaN left out.
    package var minimum: Value?
    package var maximum: Value?

    package init() {}

    /// The sum of an Int column; nil if it does not fit.
    package var intSum: Int64? { Int64(exactly: integerSum) }

    /// Adds another page.
    package mutating func formUnion(_ other: ColumnSummary) {
        count += other.count
        integerSum += other.integerSum
        doubleSum += other.doubleSum
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
