import FirnCodec
import FirnEngine
import FirnValues

extension BoundExpression {
    /// The type of the vectors that the expression is computed into; nothing but null stands in one
    /// of integers.
    var vectorType: PropertyType {
        let type = type
        return type.base == .null ? PropertyType(.int, isOptional: true) : type
    }

    /// The kind of the vectors that the expression is computed into.
    var kind: ValueTag {
        switch vectorType.container {
        case .single: vectorType.columnKind
        case .list: .list
        case .set: .set
        case .map: .map
        }
    }

    /// The column, in the fast case.
    var column: BoundColumn? {
        guard case .column(let column) = self else { return nil }
        return column
    }
}
