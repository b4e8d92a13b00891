import FirnCodec
import FirnEngine
import FirnValues

/// Determines which rows of a source satisfy a predicate.
///
/// The zone maps are used if they suffice. Otherwise the encoded pages are tested, with one call
/// per page.
struct PredicateEvaluator {
    /// The predicate with all its filters prepared.
    private indirect enum Node {
        case always(Bool)
        case and([Node])
        case or([Node])
        case not(Node)
        case filter(any RowFilter)
    }

    let source: any RowSource
    private let node: Node

    init(_ predicate: BoundPredicate, _ source: any RowSource, _ reader: SnapshotReader) {
        self.source = source
        node = Self.node(predicate, source, reader)
    }

    private static func node(
        _ predicate: BoundPredicate, _ source: any RowSource, _ reader: SnapshotReader
    ) -> Node {
        switch predicate {
        case .always(let passes): return .always(passes)
        case .and(let operands):
            return .and(
                BoundPredicate.inOrderOfCost(operands).map { node($0, source, reader) })
        case .or(let operands):
            return .or(BoundPredicate.inOrderOfCost(operands).map { node($0, source, reader) })
        case .not(let operand): return .not(node(operand, source, reader))
        case .linkMatches(let property, let target, let inner, let ifNil):
            // The target is missing or passes. This is the complement of a target that fails.
            let condition = ifNil ? inner.negated : inner
            let join = Node.filter(SemiJoin(property, target, condition, source, reader))
            return ifNil ? .not(join) : join
        case .comparison(let comparison):
            return .filter(
                encodedFilter(comparison, source) ?? RowCondition(predicate, source, reader))
        case .isWithin: return .filter(RowCondition(predicate, source, reader))
        }
    }

    /// Returns the filter that tests the encoded pages of one or two columns; `nil` if there is none.
    private static func encodedFilter(
        _ comparison: BoundComparison, _ source: any RowSource
    ) -> (any RowFilter)? {
        if source.hasPages, let (left, operation, right) = comparison.columns {
            return ColumnsFilter(left, operation, right, source)
        }
        guard case .constant(let test) = comparison.test else { return nil }
        switch comparison.left.value {
        case .column(let column) where source.hasPages: return ColumnFilter(column, test, source)
        case .mapped(let path) where path.steps.isEmpty && path.measure == nil:
            let quantifier = comparison.left.quantifier
            switch path.terminal {
            case .elements(let property):
                return ElementFilter(quantifier, property, .elements, test, source)
            case .keys(let property):
                return ElementFilter(quantifier, property, .keys, test, source)
            default: return nil
            }
        default: return nil
        }
    }

    /// Returns the verdict of the zone maps alone about a group.
    func verdict(of group: Int) throws(StoreError) -> ZoneMap.Verdict {
        try verdict(node, group)
    }

    /// Returns the rows of a group that satisfy the predicate.
    ///
    /// They may include deleted rows.
    ///
    /// - Parameter candidates: the only rows whose result matters. The result for other rows is
    ///   undefined.
    func evaluate(_ group: Int, candidates: Bitmap? = nil) throws(StoreError) -> Bitmap {
        var rows = Bitmap(count: source.rowCount(of: group))
        try evaluate(node, group, candidates, into: &rows)
        return rows
    }

    private func verdict(_ node: Node, _ group: Int) throws(StoreError) -> ZoneMap.Verdict {
        switch node {
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
        case .filter(let filter): return try filter.verdict(of: group)
        }
    }

    private func evaluate(
        _ node: Node, _ group: Int, _ candidates: Bitmap?, into rows: inout Bitmap
    ) throws(StoreError) {
        switch try verdict(node, group) {
        case .all: return rows.setAll(true)
        case .none: return rows.setAll(false)
        case .some: break
        }
        switch node {
        case .always(let passes): rows.setAll(passes)
        case .and(let operands): try evaluateAll(operands, group, candidates, into: &rows)
        case .or(let operands): try evaluateAny(operands, group, candidates, into: &rows)
        case .not(let operand):
            try evaluate(operand, group, candidates, into: &rows)
            rows.invert()
        case .filter(let filter): try filter.mark(group, candidates, into: &rows)
        }
    }

    /// Evaluates later operands only for the rows that still pass.
    private func evaluateAll(
        _ operands: [Node], _ group: Int, _ candidates: Bitmap?, into rows: inout Bitmap
    ) throws(StoreError) {
        var other = Bitmap(count: rows.count)
        for (index, operand) in operands.enumerated() {
            if index == 0 {
                try evaluate(operand, group, candidates, into: &rows)
                if let candidates { rows.formIntersection(candidates) }
            } else {
                try evaluate(operand, group, rows, into: &other)
                rows.formIntersection(other)
            }
            if rows.isEmpty { return }
        }
    }

    /// Evaluates later operands only for the rows that have not passed yet.
    private func evaluateAny(
        _ operands: [Node], _ group: Int, _ candidates: Bitmap?, into rows: inout Bitmap
    ) throws(StoreError) {
        var other = Bitmap(count: rows.count)
        var left = candidates ?? Bitmap(count: rows.count, isSet: true)
        for (index, operand) in operands.enumerated() {
            if index == 0 {
                try evaluate(operand, group, candidates, into: &rows)
            } else {
                left.subtract(rows)
                if left.isEmpty { return }
                try evaluate(operand, group, left, into: &other)
                other.formIntersection(left)
                rows.formUnion(other)
            }
        }
    }
}

extension BoundPredicate {
    /// The complement, without nested NOTs.
    var negated: BoundPredicate {
        switch self {
        case .always(let passes): .always(!passes)
        case .not(let operand): operand
        default: .not(self)
        }
    }
}
