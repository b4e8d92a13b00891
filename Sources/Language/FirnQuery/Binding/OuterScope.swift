import FirnEngine
import FirnSyntax
import FirnValues

/// The values of the object around a SUBQUERY that the condition of the SUBQUERY mentions.
///
///     SUBQUERY(kids, $k, $k.name == name AND $k.age < age / 2)
///
///     values      name, age
///     condition   name == output 0 AND age < output 1 / 2
final class OuterScope {
    private let binder: Binder
    private(set) var values: [BoundExpression] = []

    /// - Parameter binder: The binder of the condition around the subquery.
    init(_ binder: Binder) { self.binder = binder }

    /// Binds a path that starts from the object around the subquery, or from an object around that
    /// one.
    func operand(_ path: Path) throws(QueryError) -> Operand {
        let operand = try binder.operand(path)
        guard !operand.isConstant else { return operand }
        guard case .single(let computed) = operand, computed.type.container == .single,
            computed.type.base != .link, computed.type.base != .any
        else {
            throw binder.unsupported(
                "\(binder.describe(operand)) of the outer object inside of a SUBQUERY", path.range,
                hint: "only single values of the outer object have a name there")
        }
        return .single(Computed(try lifted(computed.expression, path.range)))
    }

    /// Returns an expression in which values of the object around the subquery are outputs.
    ///
    /// The subquery computes with the outputs, so that its canonical text binds to the same tree.
    private func lifted(
        _ expression: BoundExpression, _ range: SourceRange
    ) throws(QueryError) -> BoundExpression {
        switch expression {
        case .constant: return expression
        case .arithmetic(let operation, let left, let right):
            return .arithmetic(operation, try lifted(left, range), try lifted(right, range))
        case .moved(let date, let milliseconds):
            return .moved(try lifted(date, range), milliseconds: milliseconds)
        case .function(let function, let arguments):
            var values: [BoundExpression] = []
            for argument in arguments { values.append(try lifted(argument, range)) }
            return .function(function, values)
        case .condition:
            throw binder.unsupported("a condition of the outer object inside of a SUBQUERY", range)
        case .column, .path, .reduction, .subqueryCount, .aggregate, .typeName, .mapped:
            let index = values.firstIndex(of: expression) ?? values.count
            if index == values.count { values.append(expression) }
            return .column(
                .output(
                    index, name: "\(expression)", type: expression.type,
                    display: expression.display))
        }
    }
}
