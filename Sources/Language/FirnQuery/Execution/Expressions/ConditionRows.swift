import FirnCodec
import FirnEngine
import FirnValues

/// Tests which rows of a batch satisfy a condition that is part of an expression.
///
/// Conditions are evaluated on encoded pages, with one call per page. Batches are smaller than
/// pages, so once a large share of a group was requested, the whole group is evaluated, and its
/// result is kept until another group is requested.
final class ConditionRows {
    /// A group is evaluated as a whole once 1 / `groupShare` of its rows were requested.
    private static let groupShare = 8

    private final class Condition {
        let evaluator: PredicateEvaluator
        var group = -1
        var requestedCount = 0
        var rows: Bitmap?

        init(_ evaluator: PredicateEvaluator) { self.evaluator = evaluator }
    }

    private var conditions: [BoundPredicate: Condition] = [:]

    /// Returns the positions of the rows that pass.
    func passing(
        _ predicate: BoundPredicate, _ source: any RowSource, _ rows: BatchRows,
        _ reader: SnapshotReader
    ) throws(StoreError) -> Bitmap {
        let condition =
            conditions[predicate] ?? Condition(PredicateEvaluator(predicate, source, reader))
        conditions[predicate] = condition
        var passing = Bitmap(count: rows.count)
        try rows.visitGroups { group, rows, positions throws(StoreError) in
            let found = try self.rows(condition, group, rows)
            if positions == nil { return passing.setAll(of: rows, in: found) }
            for (index, row) in rows.enumerated() where found[Int(row)] {
                passing[positions.map { Int($0[index]) } ?? index] = true
            }
        }
        return passing
    }

    /// Returns the rows of a group that pass; the result for rows that are not requested is
    /// undefined.
    private func rows(
        _ condition: Condition, _ group: Int, _ rows: [UInt32]
    ) throws(StoreError) -> Bitmap {
        if condition.group != group {
            condition.group = group
            condition.requestedCount = 0
            condition.rows = nil
        }
        if let whole = condition.rows { return whole }
        let count = condition.evaluator.source.rowCount(of: group)
        condition.requestedCount += rows.count
        guard condition.requestedCount >= count / Self.groupShare else {
            return try condition.evaluator.evaluate(group, candidates: Bitmap(rows, count: count))
        }
        let whole = try condition.evaluator.evaluate(group)
        condition.rows = whole
        return whole
    }
}

extension Bitmap {
    /// Sets the bit of each position whose row is in another set.
    fileprivate mutating func setAll(of rows: [UInt32], in found: Bitmap) {
        withUnsafeMutableWords { words in
            var start = 0
            for index in words.indices {
                let end = min(rows.count, start + 64)
                var word: UInt64 = 0
                for position in start..<end where found[Int(rows[position])] {
                    word |= 1 &<< UInt64(truncatingIfNeeded: position)
                }
                words[index] = word
                start = end
            }
        }
    }
}
