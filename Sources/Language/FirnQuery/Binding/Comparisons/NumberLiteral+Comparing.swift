import FirnCodec
import FirnSyntax
import FirnValues

extension NumberLiteral {
    /// Returns the constant with which values inside an Any are compared by order.
    ///
    /// A Double is compared with the nearest Double, and a Decimal128 with all digits. The outer of
    /// the two constants is correct for every Double, and for every Decimal128 that is not between
    /// them.
    func bound(_ operation: ComparisonOperator) -> Value? {
        let ascending = anyValues.sorted { $0.order(relativeTo: $1) == .less }
        return switch operation {
        case .less, .greaterOrEqual: ascending.first
        case .lessOrEqual, .greater: ascending.last
        case .equal, .notEqual: nil
        }
    }
}
