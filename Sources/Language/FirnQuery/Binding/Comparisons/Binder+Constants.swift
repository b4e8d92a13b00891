import FirnCodec
import FirnSyntax
import FirnValues

extension Binder {
    /// Returns whether a comparison of two constants holds; `nil` if they are not comparable.
    ///
    /// Only a condition in the place of a value is folded, such as a key. As a filter, it is the same
    /// for all objects, and a mistake.
    func folded(
        _ left: QuantifiedOperand, _ operation: ComparisonOperator, _ right: QuantifiedOperand
    ) -> Bool? {
        guard let left = Self.scalar(left.operand), let right = Self.scalar(right.operand) else {
            return nil
        }
        guard left != .null, right != .null else {
            let areEqual = left == .null && right == .null
            switch operation {
            case .equal, .lessOrEqual, .greaterOrEqual: return areEqual
            case .notEqual: return !areEqual
            case .less, .greater: return false
            }
        }
        guard Self.areComparable(left, right, operation) else { return nil }
        let order = left.order(relativeTo: right)
        switch operation {
        case .equal: return order == .equal
        case .notEqual: return order != .equal
        case .less: return order == .less
        case .lessOrEqual: return order != .greater
        case .greater: return order == .greater
        case .greaterOrEqual: return order != .less
        }
    }

    private static func scalar(_ operand: Operand) -> Value? {
        if let number = operand.number { return number.decimal.map { .decimal128($0) } }
        guard case .constant(let value) = operand else { return nil }
        return value
    }

    private static func areComparable(
        _ left: Value, _ right: Value, _ operation: ComparisonOperator
    ) -> Bool {
        switch (left, right) {
        case (.int, .int), (.int, .decimal128), (.decimal128, .int), (.string, .string),
            (.date, .date), (.uuid, .uuid), (.objectID, .objectID):
            return true
        case (.decimal128(let left), .decimal128(let right)): return !left.isNaN && !right.isNaN
        // They have no order.
        case (.bool, .bool), (.data, .data): return operation == .equal || operation == .notEqual
        default: return false
        }
    }
}
