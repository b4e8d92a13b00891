import FirnCodec
import FirnEngine
import FirnSyntax
import FirnValues

/// A condition on computed values, evaluated batch by batch.
///
/// If it depends on one column, and the page of the column has codes, the condition is evaluated for
/// one row of each code.
final class RowCondition: RowFilter {
    private let predicate: BoundPredicate
    private let source: any RowSource
    private let reader: SnapshotReader
    private let evaluator: ExpressionEvaluator
    /// The only column that the condition depends on.
    private let onlyInput: BoundColumn?

    init(_ predicate: BoundPredicate, _ source: any RowSource, _ reader: SnapshotReader) {
        self.predicate = predicate
        self.source = source
        self.reader = reader
        evaluator = ExpressionEvaluator(source: source, reader: reader)
        onlyInput = predicate.onlyInput
    }

    func mark(
        _ group: Int, _ candidates: Bitmap?, into rows: inout Bitmap
    ) throws(StoreError) {
        var list: [UInt32] = []
        (candidates ?? Bitmap(count: rows.count, isSet: true)).appendRows(to: &list)
        rows.setAll(false)
        if let onlyInput, let page = try source.codedPage(onlyInput, of: group),
            let codeCount = page.codeCount, codeCount < list.count
        {
            return try mark(list, of: group, byCodesOf: page, codeCount, in: &rows)
        }
        var start = 0
        while start < list.count {
            let end = min(list.count, start + ExpressionEvaluator.batchRowCountMax)
            let part = Array(list[start..<end])
            let passing = try passing(.group(group, part))
            for (index, row) in part.enumerated() where passing[index] { rows[Int(row)] = true }
            start = end
        }
    }

    /// Whether the rows of a code pass, if that is known.
    private enum Known: UInt8 {
        case nothing, fails, passes
    }

    /// Marks the rows that pass; evaluates the condition only for the first row of each code.
    private func mark(
        _ list: [UInt32], of group: Int, byCodesOf page: ColumnPage, _ codeCount: Int,
        in rows: inout Bitmap
    ) throws(StoreError) {
        var known = [Known](repeating: .nothing, count: codeCount)
        var start = 0
        while start < list.count {
            let end = min(list.count, start + ExpressionEvaluator.batchRowCountMax)
            let part = list[start..<end]
            let codes = part.withUnsafeBufferPointer { page.codes(of: $0) }
            var firsts: [UInt32] = []
            for (row, code) in zip(part, codes) where known[Int(code)] == .nothing {
                known[Int(code)] = .fails
                firsts.append(row)
            }
            if !firsts.isEmpty {
                let passing = try passing(.group(group, firsts))
                let newCodes = firsts.withUnsafeBufferPointer { page.codes(of: $0) }
                for (index, code) in newCodes.enumerated() where passing[index] {
                    known[Int(code)] = .passes
                }
            }
            known.withUnsafeBufferPointer { known in
                rows.withUnsafeMutableWords { words in
                    for (row, code) in zip(part, codes) {
                        let bit: UInt64 = known[Int(code)] == .passes ? 1 : 0
                        words[Int(row >> 6)] |= bit << UInt64(row & 63)
                    }
                }
            }
            start = end
        }
    }

    /// Returns the positions of the rows that pass.
    private func passing(_ rows: BatchRows) throws(StoreError) -> Bitmap {
        switch predicate {
        case .comparison(let comparison): return try passing(comparison, rows)
        case .isWithin(let location, let region):
            return RegionMatch(region).rows(
                try evaluator.values(location.typeValue, of: rows),
                longitudes: try evaluator.values(location.coordinate(0), of: rows),
                latitudes: try evaluator.values(location.coordinate(1), of: rows))
        case .always, .and, .or, .not, .linkMatches:
            preconditionFailure("a condition that has a filter of its own")
        }
    }

    // MARK: Comparisons

    private func passing(
        _ comparison: BoundComparison, _ rows: BatchRows
    ) throws(StoreError) -> Bitmap {
        let left = comparison.left
        switch comparison.test {
        case .constant(let test):
            let test = VectorTest(test.onColumn(of: type(of: left)))
            return try each(left, rows) { _, values in test.rows(values) }
        case .list(let test):
            let test = VectorListTest(test, on: type(of: left))
            return try each(left, rows) { _, values in test.rows(values) }
        case .isCollection(let values):
            guard let path = comparison.eachPath else {
                preconditionFailure("a whole collection without its path")
            }
            return try CollectionEquality(path, values, reader).passing(source, rows)
        case .relation(.compare(let operation), let right) where comparison.comparesEach:
            let others = try evaluator.values(right.value, of: rows)
            return try each(left, rows) { owners, values in
                VectorComparison(values, operation, owners.map(others.picking) ?? others).rows()
            }
        case .relation(.match(let kind, let options), let right) where comparison.comparesEach:
            let others = try evaluator.values(right.value, of: rows)
            let match = TextMatch(kind, options)
            return try each(left, rows) { owners, values in
                match.rows(values, owners.map(others.picking) ?? others)
            }
        case .relation(let relation, let right):
            return try ElementComparisonRows(
                left: left, relation: relation, right: right, evaluator: evaluator
            ).passing(rows)
        }
    }

    private func type(of side: BoundComparison.Side) -> PropertyType {
        if case .mapped(let path) = side.value { path.type } else { side.value.vectorType }
    }

    /// Evaluates a test for the value of each row, or its quantifier over the values of a path.
    ///
    /// - Parameter holds: tests values; the owners are the positions of their rows, `nil` if each row has
    ///   one value.
    private func each(
        _ side: BoundComparison.Side, _ rows: BatchRows,
        _ holds: (_ owners: [UInt32]?, _ values: ColumnVector) -> Bitmap
    ) throws(StoreError) -> Bitmap {
        guard case .mapped(let path) = side.value else {
            return holds(nil, try evaluator.values(side.value, of: rows))
        }
        var fold = QuantifierFold(side.quantifier, rowCount: rows.count)
        try PathEvaluator(path: path, classes: reader.classes).visit(source, rows) {
            owners, values in
            fold.add(holds(owners, values), owners: owners)
        }
        return fold.rows
    }
}

extension BoundComparison {
    /// Whether the values of the left side, all in one group, are compared with a single value of
    /// the right side.
    fileprivate var comparesEach: Bool {
        guard right?.isSingle ?? true else { return false }
        guard let path = eachPath else { return left.isSingle }
        return left.quantifier == .any || !path.hasInnerCollections
    }
}
