import FirnCodec
import FirnEngine
import FirnValues

/// The sort keys of rows in one version.
///
/// Codes decide most comparisons. A row is read only if its code is equal to another and is not
/// exact, or if there are further keys.
final class RowKeys {
    /// One row with all its keys.
    struct KeyedRow {
        let row: RowID
        fileprivate let codes: [UInt64]
        /// The values for codes that are not exact; null for the others.
        fileprivate let values: [Value]

        var entry: OrderedRows.Entry { .init(code: codes[0], row: row) }
    }

    private let keys: [BoundSortKey]
    private let schema: ClassSchema
    private let reader: SnapshotReader
    private let known: KnownKeys

    /// Creates a reader of keys.
    ///
    /// - Parameter known: cached keys, which must be valid in this version.
    init(
        _ keys: [BoundSortKey], of schema: ClassSchema, _ reader: SnapshotReader,
        _ known: KnownKeys
    ) {
        self.keys = keys
        self.schema = schema
        self.reader = reader
        self.known = known
    }

    /// Reads the keys of rows.
    ///
    /// Rows that do not exist are left out.
    func keyed(_ rows: [RowID]) throws(StoreError) -> [KeyedRow] {
        let objects = try reader.pointReader(of: schema)
        let batch = BatchRows.scattered(try objects.locate(rows))
        let ids = try objects.rowIDs(of: batch)
        let evaluator = ExpressionEvaluator(source: objects, reader: reader)
        let columns = try keys.map { key throws(StoreError) in
            try column(key, batch, evaluator)
        }
        return (0..<ids.count).map { index in
            KeyedRow(
                row: RowID(UInt64(bitPattern: ids.ints[index])),
                codes: columns.map { $0.codes[index] }, values: columns.map { $0.values[index] })
        }
    }

    private func column(
        _ key: BoundSortKey, _ rows: BatchRows, _ evaluator: ExpressionEvaluator
    ) throws(StoreError) -> (codes: [UInt64], values: [Value]) {
        let kind = key.expression.kind
        var vector = ColumnVector(kind: kind)
        try evaluator.append(key.expression, of: rows, into: &vector)
        var codes: [UInt64] = []
        SortCode.append(vector, to: &codes)
        let values = codes.enumerated().map { index, code in
            SortCode.isExact(code, kind) ? .null : vector.value(at: index)
        }
        if key.descending { codes = codes.map { ~$0 } }
        return (codes, values)
    }

    /// Returns whether an entry sorts before a row.
    func isBefore(_ entry: OrderedRows.Entry, _ row: KeyedRow) throws(StoreError) -> Bool {
        if entry.code != row.codes[0] { return entry.code < row.codes[0] }
        if keys.count == 1, isExact(entry.code, 0) { return entry.row < row.row }
        if entry.row == row.row { return false }
        if let other = known[entry.row] { return isBefore(other, row) }
        guard let other = try keyed([entry.row]).first else {
            throw StoreError(
                .corrupt, path: reader.path,
                detail: "@id \(entry.row.rawValue) of \(schema.name) is gone from a version that "
                    + "had it")
        }
        known.remember(other)
        return isBefore(other, row)
    }

    /// Compares rows in sort order.
    ///
    /// Equal rows are ordered by creation.
    func isBefore(_ left: KeyedRow, _ right: KeyedRow) -> Bool {
        let order = order(left, right)
        return order == .equal ? left.row < right.row : order == .less
    }

    /// Compares two rows only by their keys.
    func order(_ left: KeyedRow, _ right: KeyedRow) -> Ordering {
        for (number, key) in keys.enumerated() {
            if left.codes[number] != right.codes[number] {
                return Ordering(left.codes[number], right.codes[number])
            }
            guard !isExact(left.codes[number], number) else { continue }
            let order = left.values[number].order(relativeTo: right.values[number])
            if order != .equal { return (order == .less) == key.descending ? .greater : .less }
        }
        return .equal
    }

    private func isExact(_ code: UInt64, _ number: Int) -> Bool {
        SortCode.isExact(keys[number].descending ? ~code : code, keys[number].expression.kind)
    }
}
