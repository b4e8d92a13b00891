/// A drawing of values, which ends a query.
package enum BoundChart: Hashable, Sendable {
    /// How many of the values lie in each of so many parts of equal width.
    case histogram(BoundProjection, bucketCount: Int)
    /// The rows, each with a bar as long as its value.
    case bar(BoundProjection)
    /// The values in their order, as one line.
    case spark(BoundProjection)

    /// What is drawn.
    var value: BoundProjection {
        switch self {
        case .histogram(let value, _), .bar(let value), .spark(let value): value
        }
    }

    /// Whether the order of the rows shows.
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

    /// As a plan says it.
    var planText: String {
        switch self {
        case .histogram(let value, let count):
            "histogram of \(value.name) in \(count) parts, in two passes"
        case .bar(let value): "bars of \(value.name), in two passes"
        case .spark(let value): "line of \(value.name), in two passes"
        }
    }
}
