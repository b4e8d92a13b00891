/// The result of comparing two values in a sort.
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

    /// Compares two comparable values.
    @inlinable public init<T: Comparable>(_ left: T, _ right: T) {
        self = left < right ? .less : (right < left ? .greater : .equal)
    }
}
