import FirnCodec
import FirnEngine
import FirnValues

extension BoundExpression {
    /// The type of the vectors that the expression is computed into.
    var vectorType: PropertyType {
        switch self {
        case .constant(let value):
            PropertyType(value.isNull ? .int : (value.tag == .link ? .int : value.tag))
        case .column(let column): column.type
        case .path(let path): path.type
        case .reduction(let reduction, let path): reduction.resultType(of: path.type)
        case .subqueryCount: PropertyType(.int)
        case .arithmetic(_, let left, let right):
            PropertyType(NumericKind.common(left.kind, right.kind), isOptional: true)
        case .function(let function, let arguments): function.resultType(of: arguments)
        case .typeName: PropertyType(.string)
        case .mapped(let path):
            PropertyType(
                path.type.base, isOptional: true, container: .list, target: path.type.target)
        }
    }

    /// The kind of the vectors that the expression is computed into.
    var kind: ValueTag { ColumnVector(of: vectorType).kind }

    /// The column, in the fast case.
    var column: BoundColumn? {
        guard case .column(let column) = self else { return nil }
        return column
    }

    /// Whether it is null in every row.
    var isNullConstant: Bool {
        guard case .constant(.null) = self else { return false }
        return true
    }

    /// Every path in it, those of predicates left out.
    var paths: [BoundPath] {
        switch self {
        case .constant, .column: []
        case .path(let path), .reduction(_, let path), .subqueryCount(let path, _),
            .typeName(let path), .mapped(let path):
            [path]
        case .arithmetic(_, let left, let right): left.paths + right.paths
        case .function(_, let arguments): arguments.flatMap(\.paths)
        }
    }
}

extension BoundExpression.Reduction {
    /// Of which type the reduction of such values is; the sum of Floats is a Double.
    func resultType(of type: PropertyType) -> PropertyType {
        switch self {
        case .count: PropertyType(.int)
        case .sum:
            PropertyType(type.base == .float ? .double : type.base, isOptional: true)
        case .average:
            PropertyType(type.base == .decimal128 ? .decimal128 : .double, isOptional: true)
        case .minimum, .maximum: PropertyType(type.base, isOptional: true, target: type.target)
        }
    }
}

extension BoundExpression.Function {
    fileprivate func resultType(of arguments: [BoundExpression]) -> PropertyType {
        switch self {
        case .upper, .lower, .trim: PropertyType(.string, isOptional: true)
        case .length, .year, .month, .day, .weekday, .hour: PropertyType(.int, isOptional: true)
        case .coalesce:
            arguments.filter { !$0.isNullConstant }.map(\.vectorType)
                .reduce(nil) { result, type in
                    guard let result, result.base != type.base else { return type }
                    return PropertyType(NumericKind.common(result.base, type.base))
                } ?? PropertyType(.int, isOptional: true)
        }
    }
}

/// The kinds of numbers that numbers of different kinds become together.
enum NumericKind {
    /// Decimals are the widest, then doubles; two Floats are a Double, as they are stored.
    static func common(_ left: ValueTag, _ right: ValueTag) -> ValueTag {
        if left == .any || right == .any { return .any }
        if left == .decimal128 || right == .decimal128 { return .decimal128 }
        return left == .int && right == .int ? .int : .double
    }
}
