import FirnEngine
import FirnValues

extension BoundExpression {
    /// Whether the value depends only on columns of the object itself, so that each thread can
    /// compute it without its own table.
    var isOfColumns: Bool {
        switch self {
        case .constant, .column: true
        case .arithmetic(_, let left, let right): left.isOfColumns && right.isOfColumns
        case .moved(let date, _): date.isOfColumns
        case .function(_, let arguments): arguments.allSatisfy(\.isOfColumns)
        case .path, .aggregate, .reduction, .subqueryCount, .typeName, .mapped, .condition: false
        }
    }

    /// Collects the single columns of the object that the value depends on.
    ///
    /// - Returns: `false` if it depends on anything else.
    func collectInputs(_ columns: inout Set<BoundColumn>) -> Bool {
        switch self {
        case .constant: return true
        case .column(let column):
            guard case .property = column, column.type.container == .single else { return false }
            columns.insert(column)
            return true
        case .arithmetic(_, let left, let right):
            return left.collectInputs(&columns) && right.collectInputs(&columns)
        case .moved(let date, _): return date.collectInputs(&columns)
        case .function(_, let arguments):
            return arguments.allSatisfy { $0.collectInputs(&columns) }
        case .path(let path): return path.collectInputs(&columns)
        case .condition(let condition): return condition.collectInputs(&columns)
        case .aggregate, .reduction, .subqueryCount, .typeName, .mapped: return false
        }
    }
}

extension BoundPath {
    /// Collects the columns that determine the objects of the path, if it has a single value that
    /// is reached through a link or a join.
    func collectInputs(_ columns: inout Set<BoundColumn>) -> Bool {
        guard !isMultiple, let step = steps.first else { return false }
        switch step {
        case .link(let property, _):
            columns.insert(.property(property))
            return true
        case .lookup(let join): return join.rowKeys.allSatisfy { $0.collectInputs(&columns) }
        case .elements, .element, .mapValue, .backlinks, .allBacklinks: return false
        }
    }
}

extension BoundPredicate {
    /// The only column of the object that the condition depends on; `nil` if it depends on none, on
    /// several, or on anything else.
    var onlyInput: BoundColumn? {
        guard case .comparison = self else { return nil }
        var columns: Set<BoundColumn> = []
        return collectInputs(&columns) && columns.count == 1 ? columns.first : nil
    }

    /// Collects the columns of the object that the condition depends on.
    ///
    /// - Returns: whether it depends on nothing else.
    func collectInputs(_ columns: inout Set<BoundColumn>) -> Bool {
        switch self {
        case .always: true
        case .and(let operands), .or(let operands):
            operands.allSatisfy { $0.collectInputs(&columns) }
        case .not(let operand): operand.collectInputs(&columns)
        case .comparison(let comparison):
            comparison.left.value.collectInputs(&columns)
                && comparison.right?.value.collectInputs(&columns) ?? true
        case .linkMatches, .isWithin: false
        }
    }
}
