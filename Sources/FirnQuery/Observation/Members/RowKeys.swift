import FirnCodec
import FirnEngine
import FirnValues

/// The keys of rows in the order of a sort, as one version has them.
///
/// Codes decide most pairs; a row that is equal to another in a code that is not exact, or in the
/// first of several keys, is read.
final class RowKeys {
    /// One row with all of its keys.
    struct KeyedRow {
        let row: RowID
        fileprivate let codes: [UInt64]
        /// Of codes that are not exact, the values; else null.
        fileprivate let values: [Value]

        var entry: OrderedRows.Entry { .init(code: codes[0], row: row) }
    }

    private let keys: [BoundSortKey]
    private let schema: ClassSchema
    private let reader: SnapshotReader
    private let known: KnownKeys

    /// - Parameter known: what is known of rows that have the same keys in this version.
    init(
        _ keys: [BoundSortKey], of schema: ClassSchema, _ reader: SnapshotReader,
        _ known: KnownKeys
    ) {
        self.keys = keys
        self.schema = schema
        self.reader = reader
        self.known = known
    }

    /// Reads the keys of rows; those that do not exist are left out.
    func keyed(_ rows: [RowID]) throws(StoreError) -> [KeyedRow] {
        let objects = try reader.pickedObjects(of: schema)
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

    /// Whether an entry is before a row.
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

    /// The order of the sort; of equal rows the one that was created first comes first.
    func isBefore(_ left: KeyedRow, _ right: KeyedRow) -> Bool {
        let order = order(left, right)
        return order == .equal ? left.row < right.row : order == .less
    }

    /// How two rows lie to each other by their keys alone.
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
