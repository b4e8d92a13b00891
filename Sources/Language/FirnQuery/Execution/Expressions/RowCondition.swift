import FirnCodec
import FirnEngine
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
        onlyInput = source is TableScanner ? predicate.onlyInput : nil
    }

    func mark(
        _ group: Int, _ candidates: Bitmap?, into rows: inout Bitmap
    ) throws(StoreError) {
        var list: [UInt32] = []
        (candidates ?? Bitmap(count: rows.count, isSet: true)).appendRows(to: &list)
        rows.setAll(false)
        if let onlyInput, let page = try source.page(onlyInput, of: group),
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

    /// Whether the rows of a code pass, as far as it is known.
    private enum Known: UInt8 {
        case nothing, fails, passes
    }

    /// Marks the rows that pass, after evaluating the condition for the first row of each code.
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
        case .quantified(let quantifier, let path, let test):
            return try quantified(quantifier, path, test, rows)
        case .quantifiedList(let quantifier, let path, let test):
            return try quantified(quantifier, path, test, rows)
        case .compare(let left, let comparison, let right):
            let left = try evaluator.values(left, of: rows)
            let right = try evaluator.values(right, of: rows)
            return VectorComparison(left, comparison, right).rows()
        case .compareEach(let quantifier, let path, let comparison, let expression):
            return try compareEach(quantifier, path, comparison, expression, rows)
        case .testExpression(let expression, let test):
            let values = try evaluator.values(expression, of: rows)
            return VectorTest(test.onColumn(of: expression.vectorType)).rows(values)
        case .isCollection(let path, let values):
            return try CollectionEquality(path, values, reader).passing(source, rows)
        case .match(let text, let kind, let options, let operand):
            let texts = try evaluator.values(text, of: rows)
            let operands = try evaluator.values(operand, of: rows)
            return TextMatch(kind, options).rows(texts, operands)
        case .matchEach(let quantifier, let path, let kind, let options, let operand):
            let operands = try evaluator.values(operand, of: rows)
            let match = TextMatch(kind, options)
            return try each(quantifier, path, rows) { owners, values in
                match.rows(values, operands.picking(owners))
            }
        case .elements(let comparison):
            return try ElementComparisonRows(comparison: comparison, evaluator: evaluator)
                .passing(rows)
        case .isWithin(let location, let region):
            return RegionMatch(region).rows(
                try evaluator.values(location.typeValue, of: rows),
                longitudes: try evaluator.values(location.coordinate(0), of: rows),
                latitudes: try evaluator.values(location.coordinate(1), of: rows))
        case .always, .and, .or, .not, .test, .compareColumns, .linkMatches:
            preconditionFailure("a condition that has a filter of its own")
        }
    }

    private func quantified(
        _ quantifier: Quantifier, _ path: BoundPath, _ test: ColumnTest, _ rows: BatchRows
    ) throws(StoreError) -> Bitmap {
        let vectorTest = VectorTest(test.onColumn(of: path.type))
        return try each(quantifier, path, rows) { _, values in vectorTest.rows(values) }
    }

    private func quantified(
        _ quantifier: Quantifier, _ path: BoundPath, _ test: ListTest, _ rows: BatchRows
    ) throws(StoreError) -> Bitmap {
        let test = VectorListTest(test, on: path.type)
        return try each(quantifier, path, rows) { _, values in test.rows(values) }
    }

    private func compareEach(
        _ quantifier: Quantifier, _ path: BoundPath, _ comparison: ComparisonOperator,
        _ expression: BoundExpression, _ rows: BatchRows
    ) throws(StoreError) -> Bitmap {
        let others = try evaluator.values(expression, of: rows)
        return try each(quantifier, path, rows) { owners, values in
            VectorComparison(values, comparison, others.picking(owners)).rows()
        }
    }

    /// Evaluates a quantifier over the values of a path.
    private func each(
        _ quantifier: Quantifier, _ path: BoundPath, _ rows: BatchRows,
        _ holds: (_ owners: [UInt32], _ values: ColumnVector) -> Bitmap
    ) throws(StoreError) -> Bitmap {
        var fold = QuantifierFold(quantifier, rowCount: rows.count)
        try PathEvaluator(path: path, classes: reader.classes).visit(source, rows) {
            owners, values in
            fold.add(holds(owners, values), owners: owners)
        }
        return fold.rows
    }
}
