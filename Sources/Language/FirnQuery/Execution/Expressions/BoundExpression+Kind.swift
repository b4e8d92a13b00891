import FirnCodec
import FirnEngine
import FirnValues

extension BoundExpression {
    /// The type of the vectors that the expression is computed into.
    ///
    /// The expression `null` is computed into a vector of integers that contains only nulls.
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

    /// The column, if the expression is a plain column.
    var column: BoundColumn? {
        guard case .column(let column) = self else { return nil }
        return column
    }
}
