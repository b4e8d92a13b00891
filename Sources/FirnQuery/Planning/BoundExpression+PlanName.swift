import FirnEngine

extension BoundExpression {
    /// The name of the expression in a plan, which for a column is its plain name.
    var planName: String {
        switch self {
        case .column(let column): column.name
        case .path(let path), .mapped(let path): path.name
        case .reduction(let reduction, let path): "\(path.name).\(reduction.rawValue)"
        default: "an expression"
        }
    }
}
