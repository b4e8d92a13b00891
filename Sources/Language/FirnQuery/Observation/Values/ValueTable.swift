import FirnCodec
import FirnEngine
package import FirnValues

/// The rows of a query that delivers values, each identified by the keys of its group.
package struct ValueTable: Sendable {
    /// The columns of the query.
    package let columns: [ResultColumn]
    /// The keys of the group, whether or not the query delivers them.
    package let keys: [ResultColumn]
    package let rowCount: Int
    /// The values of the columns, followed by the values of the keys.
    private let vectors: [ColumnVector]
    /// The keys of each row as bytes; empty for the only row of a query without a group.
    package let identities: [[UInt8]]
    /// The values of each row as bytes, which are equal exactly when the values are.
    let contents: [[UInt8]]

    /// - Parameters:
    ///   - vectors: the values of the columns, followed by those of the keys.
    ///   - rowCount: the number of values in each vector.
    ///   - identities: the keys of each row as bytes, if they are known.
    init(
        columns: [ResultColumn], keys: [ResultColumn], _ vectors: [ColumnVector], rowCount: Int,
        identities: [[UInt8]]? = nil
    ) {
        self.columns = columns
        self.keys = keys
        self.vectors = vectors
        self.rowCount = rowCount
        contents = ValueTable.bytes(Array(vectors.prefix(columns.count)), rowCount)
        self.identities =
            identities ?? ValueTable.bytes(Array(vectors.dropFirst(columns.count)), rowCount)
    }

    private static func bytes(_ vectors: [ColumnVector], _ rowCount: Int) -> [[UInt8]] {
        var rows: [[UInt8]] = []
        rows.reserveCapacity(rowCount)
        ByteKeys(vectors, rowCount: rowCount).visit { _, bytes in rows.append(Array(bytes)) }
        return rows
    }

    /// Returns some rows with the columns of the query.
    package func rows(_ indices: [Int]) -> any ResultRows {
        ValueTableRows(columns, vectors.prefix(columns.count), indices)
    }

    /// Returns the keys of some rows.
    package func keyRows(_ indices: [Int]) -> any ResultRows {
        ValueTableRows(keys, vectors.dropFirst(columns.count), indices)
    }

    /// Returns a value of the first row; `nil` if there is no row.
    package func firstValue(_ column: Int) -> Value? {
        rowCount > 0 ? vectors[column].value(at: 0) : nil
    }
}

/// Delivers some rows of a table in one batch.
private final class ValueTableRows: ResultRows {
    let columns: [ResultColumn]
    /// The statistics, which are zero because the values are in memory.
    let statistics = QueryStatistics()
    private var batch: ResultBatch?

    init(_ columns: [ResultColumn], _ vectors: ArraySlice<ColumnVector>, _ indices: [Int]) {
        self.columns = columns
        guard !indices.isEmpty else { return }
        let rows = indices.map { UInt32(truncatingIfNeeded: $0) }
        let chosen = vectors.map { source in
            var vector = source.emptied
            vector.append(source, rows: rows[...])
            return vector
        }
        batch = ResultBatch(rowCount: indices.count, vectors: chosen)
    }

    func next() -> ResultBatch? {
        defer { batch = nil }
        return batch
    }
}
