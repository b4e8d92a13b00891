import FirnCodec
import FirnEngine
package import FirnValues

/// Queries whose results are values, column by column.
extension DatabaseSnapshot {
    /// Returns the values of a query that yields values (`project`, `aggregate`, `count`).
    ///
    /// Links are references to objects.
    ///
    /// - Parameters:
    ///   - query: a query without a group.
    ///   - candidates: the objects of its class to process, as in ``rowIDs(_:among:)``.
    ///   - isStopped: returns whether to cancel. It is called before each page is read.
    /// - Returns: the values of each column of the query.
    /// - Throws: ``QueryFailure`` if the store cannot be read.
    package func values(
        _ query: BoundQuery, among candidates: [RowID]? = nil,
        isStopped: @escaping () -> Bool = { false }
    ) throws(QueryFailure) -> [[Value]] {
        let execution = try QueryFailure.converting(
            Execution(query, on: snapshot, among: candidates, isStopped: isStopped))
        let rows = try execution.rows()
        var values: [[Value]] = rows.columns.map { _ in [] }
        while let batch = try rows.next() {
            for (index, column) in rows.columns.enumerated() {
                let vector = batch.vectors[index]
                values[index].reserveCapacity(values[index].count + batch.rowCount)
                for row in 0..<batch.rowCount {
                    values[index].append(vector.value(at: row).leading(to: column.target))
                }
            }
        }
        return values
    }
}

extension Value {
    /// Returns row ids as links, if they are the ids of objects of a class.
    fileprivate func leading(to target: ClassSchema?) -> Value {
        guard let target else { return self }
        switch self {
        case .int(let row):
            return .link(
                ObjectReference(classID: target.id, rowID: RowID(UInt64(bitPattern: row))))
        case .list(let values): return .list(values.map { $0.leading(to: target) })
        case .set(let values): return .set(values.map { $0.leading(to: target) })
        case .map(let values): return .map(values.mapValues { $0.leading(to: target) })
        default: return self
        }
    }
}

extension BoundAggregate.Function {
    /// Returns the aggregate of values that do not belong to objects.
    ///
    /// Nulls are ignored.
    ///
    /// - Parameter kind: the kind of the values.
    /// - Returns: `nil` if a sum of Ints leaves the 64-bit range.
    package func value(over values: [Value], kind: ValueTag) -> Value? {
        var vector = ColumnVector(kind: kind)
        for value in values { vector.append(value) }
        var accumulators = Accumulators(self, kind: kind, count: 1)
        accumulators.add(vector, owners: [UInt32](repeating: 0, count: vector.count))
        accumulators.finish()
        return accumulators.overflows(0) ? nil : accumulators.value(0)
    }
}
