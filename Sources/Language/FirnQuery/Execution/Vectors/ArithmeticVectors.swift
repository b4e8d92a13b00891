import FirnCodec
import FirnValues

/// Arithmetic on two vectors of numbers, row by row.
///
/// The result for two Ints is an Int: a quotient is truncated toward zero, as in the reference
/// language. The result for an Int and a Double is a Double. A result that does not fit is null, and
/// so are those of a division by zero and of any operation with null; infinities and NaN result only
/// from infinities and NaN. Decimals have 34 digits and round half to even, as in IEEE 754.
struct ArithmeticVectors {
    private let left: ColumnVector
    private let right: ColumnVector
    private let kind: ValueTag

    init(_ left: ColumnVector, _ right: ColumnVector, into kind: ValueTag) {
        self.left = left
        self.right = right
        self.kind = kind
    }

    func values(_ operation: BoundExpression.Arithmetic) -> ColumnVector {
        var result = ColumnVector(kind: kind)
        switch kind {
        case .int: ints(operation, &result)
        case .double: doubles(operation, &result)
        default:
            for row in 0..<left.count {
                let value = Self.value(operation, left.value(at: row), right.value(at: row))
                result.append(converting: value)
            }
        }
        return result
    }

    private func ints(_ operation: BoundExpression.Arithmetic, _ result: inout ColumnVector) {
        result.ints = [Int64](repeating: 0, count: left.count)
        result.count = left.count
        for row in 0..<left.count {
            guard !left.isNull(row), !right.isNull(row),
                let value = Self.int(operation, left.ints[row], right.ints[row])
            else {
                result.setNull(row)
                continue
            }
            result.ints[row] = value
        }
    }

    private static func int(
        _ operation: BoundExpression.Arithmetic, _ left: Int64, _ right: Int64
    ) -> Int64? {
        let (value, overflow) =
            switch operation {
            case .add: left.addingReportingOverflow(right)
            case .subtract: left.subtractingReportingOverflow(right)
            case .multiply: left.multipliedReportingOverflow(by: right)
            case .divide: left.dividedReportingOverflow(by: right)
            // The remainder of the smallest integer exists, unlike its quotient.
            case .remainder:
                left.remainderReportingOverflow(dividingBy: right == -1 ? 1 : right)
            }
        return overflow ? nil : value
    }

    private func doubles(_ operation: BoundExpression.Arithmetic, _ result: inout ColumnVector) {
        let (left, right) = (Self.doubles(left), Self.doubles(right))
        result.doubles = [Double](repeating: 0, count: left.count)
        result.count = left.count
        for row in 0..<left.count {
            switch operation {
            case .add: result.doubles[row] = left[row] + right[row]
            case .subtract: result.doubles[row] = left[row] - right[row]
            case .multiply: result.doubles[row] = left[row] * right[row]
            case .divide where right[row] == 0, .remainder where right[row] == 0:
                result.setNull(row)
            case .divide: result.doubles[row] = left[row] / right[row]
            case .remainder:
                result.doubles[row] = left[row].truncatingRemainder(dividingBy: right[row])
            }
        }
        for row in 0..<result.count
        where self.left.isNull(row) || self.right.isNull(row) || result.isNull(row)
            || !result.doubles[row].isFinite && left[row].isFinite && right[row].isFinite
        {
            result.setNull(row)
        }
    }

    private static func doubles(_ vector: ColumnVector) -> [Double] {
        vector.kind.isStoredAsDoubles ? vector.doubles : vector.ints.map { Double($0) }
    }

    /// Computes the result for two values of any kind; null unless both are numbers.
    static func value(
        _ operation: BoundExpression.Arithmetic, _ left: Value, _ right: Value
    ) -> Value {
        switch (left, right) {
        case (.int(let left), .int(let right)):
            return int(operation, left, right).map { .int($0) } ?? .null
        case (.decimal128, _), (_, .decimal128):
            guard let left = DecimalArithmetic.decimal(left),
                let right = DecimalArithmetic.decimal(right)
            else { return .null }
            return DecimalArithmetic.result(operation, left, right).map { .decimal128($0) }
                ?? .null
        default:
            guard let left = double(left), let right = double(right) else { return .null }
            return DoubleArithmetic.result(operation, left, right).map { .double($0) } ?? .null
        }
    }

    private static func double(_ value: Value) -> Double? {
        switch value {
        case .int(let number): Double(number)
        case .float(let number): Double(number)
        case .double(let number): number
        default: nil
        }
    }
}
