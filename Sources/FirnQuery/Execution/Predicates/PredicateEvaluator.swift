import FirnCodec
import FirnEngine
import FirnValues

/// Decides which rows of a row group satisfy a predicate: by the zone maps if they suffice, else on
/// the encoded pages, one call per page.
struct PredicateEvaluator {
    let predicate: BoundPredicate
    let scanner: TableScanner

    /// What the zone maps alone say of a group.
    func verdict(of group: Int) throws(StoreError) -> ZoneMap.Verdict {
        try verdict(predicate, group)
    }

    /// Marks the rows of a group that satisfy the predicate; deleted rows may be among them.
    func evaluate(_ group: Int) throws(StoreError) -> Bitmap {
        var rows = Bitmap(count: scanner.groups[group].rowCount)
        try evaluate(predicate, group, into: &rows)
        return rows
    }

    private func verdict(
        _ predicate: BoundPredicate, _ group: Int
    ) throws(StoreError) -> ZoneMap.Verdict {
        switch predicate {
        case .always(let passes): return passes ? .all : .none
        case .and(let operands):
            var result = ZoneMap.Verdict.all
            for operand in operands {
                switch try verdict(operand, group) {
                case .none: return .none
                case .some: result = .some
                case .all: break
                }
            }
            return result
        case .or(let operands):
            var result = ZoneMap.Verdict.none
            for operand in operands {
                switch try verdict(operand, group) {
                case .all: return .all
                case .some: result = .some
                case .none: break
                }
            }
            return result
        case .not(let operand):
            switch try verdict(operand, group) {
            case .none: return .all
            case .all: return .none
            case .some: return .some
            }
        case .test(let column, let test):
            return try scanner.zone(column, of: group)?.verdict(test) ?? .some
        case .compareColumns: return .some
        default: preconditionFailure("contract")
        }
    }

    private func evaluate(
        _ predicate: BoundPredicate, _ group: Int, into rows: inout Bitmap
    ) throws(StoreError) {
        switch try verdict(predicate, group) {
        case .all: return rows.setAll(true)
        case .none: return rows.setAll(false)
        case .some: break
        }
        switch predicate {
        case .always(let passes): rows.setAll(passes)
        case .and(let operands): try evaluateAll(operands, group, into: &rows)
        case .or(let operands): try evaluateAny(operands, group, into: &rows)
        case .not(let operand):
            try evaluate(operand, group, into: &rows)
            rows.invert()
        case .test(.property(let property), let test):
            try scanner.column(property, of: group).filter(test, into: &rows)
        case .test(.rowID, let test):
            try evaluateOnIDs(test, group, into: &rows)
        case .compareColumns(let left, let comparison, let right):
            let comparison = try ColumnComparison(left, comparison, right, scanner, group)
            comparison.mark(&rows)
        default: preconditionFailure("contract")
        }
    }

    /// Operands that come later are not looked at once no row is left.
    private func evaluateAll(
        _ operands: [BoundPredicate], _ group: Int, into rows: inout Bitmap
    ) throws(StoreError) {
        var other = Bitmap(count: rows.count)
        for (index, operand) in operands.enumerated() {
            if index == 0 {
                try evaluate(operand, group, into: &rows)
            } else {
                try evaluate(operand, group, into: &other)
                rows.formIntersection(other)
            }
            if rows.isEmpty { return }
        }
    }

    private func evaluateAny(
        _ operands: [BoundPredicate], _ group: Int, into rows: inout Bitmap
    ) throws(StoreError) {
        var other = Bitmap(count: rows.count)
        for (index, operand) in operands.enumerated() {
            if index == 0 {
                try evaluate(operand, group, into: &rows)
            } else {
                try evaluate(operand, group, into: &other)
                rows.formUnion(other)
            }
        }
    }

    private func evaluateOnIDs(
        _ test: ColumnTest, _ group: Int, into rows: inout Bitmap
    ) throws(StoreError) {
        var ids = ColumnVector(kind: .int)
        try scanner.decode(.rowID, of: group, rows: 0..<rows.count, into: &ids)
        for row in 0..<rows.count { rows[row] = value(.int(ids.ints[row]), passes: test) }
    }
}
