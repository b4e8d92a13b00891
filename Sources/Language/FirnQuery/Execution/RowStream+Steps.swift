import FirnEngine
import FirnValues

extension GroupedRows {
    /// Returns a stream of all rows, and replaces the evaluator with the evaluator of these rows.
    func scan(_ evaluator: inout ExpressionEvaluator) -> ScanStream {
        evaluator = ExpressionEvaluator(source: self, reader: evaluator.reader)
        return ScanStream(PredicateEvaluator(.always(true), self, evaluator.reader))
    }
}

extension RowStream {
    /// Returns the rows of this stream after a step.
    ///
    /// - Parameters:
    ///   - evaluator: computes the values of the rows; replaced if the step makes other rows or
    ///     columns: groups, windows, elements.
    func followed(
        by step: QueryPlan.Step, _ evaluator: inout ExpressionEvaluator
    ) -> any RowStream {
        switch step {
        case .filter(let condition):
            return FilterStream(
                self, PredicateEvaluator(condition, evaluator.source, evaluator.reader))
        case .sort(let keys, let limit):
            return SortStream(self, keys, limit: limit ?? .max, evaluator)
        case .distinct(let keys): return FirstOfEachStream(self, 1, of: keys, evaluator)
        case .limitEach(let count, let keys):
            return FirstOfEachStream(self, count, of: keys, evaluator)
        case .window(let columns):
            let windows = WindowOperator(columns)
            let rows = GroupedRows(path: evaluator.source.path) {
                [evaluator] () throws(StoreError) in .pages(try windows.rows(of: self, evaluator))
            }
            return rows.scan(&evaluator)
        case .unnest(let unnest):
            let elements = UnnestOperator(unnest)
            let rows = GroupedRows(path: evaluator.source.path) {
                [evaluator] () throws(StoreError) in .pages(try elements.rows(of: self, evaluator))
            }
            return rows.scan(&evaluator)
        case .filterAmong(let columns, let condition):
            return AmongStream(self, columns, condition, evaluator)
        case .limit(let count): return SliceStream(self, taking: count)
        case .skip(let count): return SliceStream(self, skipping: count)
        case .last: return LastStream(self)
        case .group(let keys, let items):
            return GroupedRows(
                self, keys: keys.map(\.expression), items: items, evaluator, isLimited: false
            ).scan(&evaluator)
        }
    }
}
