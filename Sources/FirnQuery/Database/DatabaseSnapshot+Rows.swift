import FirnCodec
import FirnEngine
package import FirnValues

/// Answers that are objects and not values.
extension DatabaseSnapshot {
    /// The values of some objects, column by column.
    ///
    /// - Parameters:
    ///   - query: without a group.
    ///   - candidates: the objects of its class that it works on, as in ``rowIDs(_:among:)``.
    /// - Throws: ``QueryFailure`` if the store cannot be read.
    package func rows(
        _ query: BoundQuery, among candidates: [RowID]
    ) throws(QueryFailure) -> any ResultRows {
        try QueryFailure.storing { () throws(StoreError) -> any ResultRows in
            if let few = try PointQueryRows(query, candidates, in: snapshot) { return few }
            return try Execution(query, on: snapshot, among: candidates).rows()
        }
    }

    /// The identities of the objects that a query answers, in its order.
    ///
    /// - Parameters:
    ///   - query: without a stage that ends in values (`select`, `group`, `count`).
    ///   - candidates: the objects of its class that it works on, in the order that it begins with;
    ///     one may be there several times, and those that do not exist are left out. `nil`: all.
    /// - Throws: ``QueryFailure`` if the store cannot be read.
    /// - Complexity: O(objects that the query looks at)
    package func rowIDs(
        _ query: BoundQuery, among candidates: [RowID]? = nil
    ) throws(QueryFailure) -> [RowID] {
        try QueryFailure.storing { () throws(StoreError) in
            let execution = try Execution(query, on: snapshot, among: candidates)
            let (stream, evaluator) = execution.stream()
            var rows: [RowID] = []
            while let batch = try stream.next() {
                let source = evaluator.source
                let ids =
                    switch batch {
                    case .run(let run): try source.rowIDs(of: .group(run.group, run.rows))
                    case .scattered(let references):
                        try source.rowIDs(of: BatchRows(references))
                    }
                rows.reserveCapacity(rows.count + ids.count)
                for row in 0..<ids.count { rows.append(RowID(UInt64(bitPattern: ids.ints[row]))) }
            }
            return rows
        }
    }
}
