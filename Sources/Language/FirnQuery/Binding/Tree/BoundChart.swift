import FirnValues

/// A chart of values, which ends a query.
package enum BoundChart: Hashable, Sendable {
    /// The number of values in each of `bucketCount` buckets of equal width.
    case histogram(BoundProjection, bucketCount: Int)
    /// The rows, each with a bar as long as its value.
    case bar(BoundProjection)
    /// The values in their order, as one line.
    case spark(BoundProjection)

    /// The charted column.
    var value: BoundProjection {
        switch self {
        case .histogram(let value, _), .bar(let value), .spark(let value): value
        }
    }

    /// Whether the order of the rows affects the chart.
    var isOrdered: Bool { if case .histogram = self { false } else { true } }

    static let bucketCountDefault = 10
    static let bucketCountMaximum = 1000
}

extension BoundChart: CustomStringConvertible {
    package var description: String {
        switch self {
        case .histogram(let value, let count): "hist(\(value.expression), \(count))"
        case .bar(let value): "bar(\(value.expression))"
        case .spark(let value): "spark(\(value.expression))"
        }
    }

    /// The text of the chart in a plan.
    var planText: String {
        switch self {
        case .histogram(let value, let count):
            "histogram of \(value.name) in \(count) parts, in two passes"
        case .bar(let value): "bars of \(value.name), in two passes"
        case .spark(let value): "line of \(value.name), in two passes"
        }
    }
}
