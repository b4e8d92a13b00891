import FirnCodec
import FirnSyntax
import FirnValues

extension ValueCast {
    /// Converts a vector to the kind of a function.
    static func values(
        _ operand: ColumnVector, as function: ScalarFunction, kind: ValueTag
    ) -> ColumnVector {
        if operand.kind == kind { return operand }
        if kind == .double, operand.kind == .int || operand.kind == .float {
            return operand.converted(to: .double)
        }
        var result = ColumnVector(kind: kind)
        for row in 0..<operand.count { result.append(value(operand.value(at: row), as: function)) }
        return result
    }
}
