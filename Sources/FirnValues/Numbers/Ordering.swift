/// How one value lies to another in sorting.
public enum Ordering: Int8, Sendable {
    case less = -1
    case equal = 0
    case greater = 1

    /// The order with both sides exchanged.
    @inlinable public var reversed: Ordering {
        switch self {
        case .less: .greater
        case .equal: .equal
        case .greater: .less
        }
    }

    /// Orders two comparable things.
    @inlinable public init<T: Comparable>(_ left: T, _ right: T) {
        self = left < right ? .less : (right < left ? .greater : .equal)
    }
}
