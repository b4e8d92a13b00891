import FirnEngine
import FirnValues

/// The values of the object around a SUBQUERY that its condition mentions.
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

    /// Binds a path that starts from the object around the subquery, or from one around that.
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
        let index = values.firstIndex(of: computed.expression) ?? values.count
        if index == values.count { values.append(computed.expression) }
        return .single(
            Computed(
                .column(
                    .output(
                        index, name: "\(computed.expression)", type: computed.type,
                        display: computed.expression.display))))
    }
}
