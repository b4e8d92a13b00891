package import FirnCodec
package import FirnValues

/// A destination for rows that are appended column by column.
package protocol BulkRowTarget: AnyObject {
    /// One builder per property, in the order of the schema.
    var columns: [ColumnBuilder] { get }

    /// Ends a row after one value was appended to each builder.
    func endRow() throws(StoreError)
}

/// Rows of a bulk load that one thread collects and encodes, while others process the preceding and
/// following rows.
///
///     let rows = makeRows()                     // on any thread: loader.rowMaker
///     rows.begin(at: first)
///     rows.columns[0].append(int: 1)
///     try rows.endRow()
///     let encoded = try rows.finish()
///     try loader.append(encoded)                // on the thread of the load, in the order of rows
///
/// It is `Sendable` because only one thread uses it at a time.
package final class BulkRows: BulkRowTarget, @unchecked Sendable {
    package let columns: [ColumnBuilder]
    private let assembler: RowGroupAssembler
    private var first = RowID(0)
    private var count = 0
    private var held = HeldRowGroups()

    init(_ schema: ClassSchema, _ options: StoreOptions, _ path: String) {
        assembler = RowGroupAssembler(
            schema: schema, options: options, path: path, threadCount: 1)
        columns = assembler.builders.map(\.rowColumn)
    }

    /// Begins with a row; unfinished rows are dropped.
    package func begin(at first: RowID) {
        assembler.removeAll()
        held = HeldRowGroups()
        self.first = first
        count = 0
    }

    /// Ends a row.
    ///
    /// - Throws: ``StoreError`` with `missingValue` if a required property of this or one of the
    ///   last records is null, or `limitExceeded`.
    package func endRow() throws(StoreError) {
        let isFull = assembler.endRow(RowID(first.rawValue &+ UInt64(count)))
        count += 1
        assembler.endCollections()
        if isFull { try assembler.flush(&held) }
    }

    /// Encodes the last rows.
    ///
    /// - Returns: all rows since ``begin(at:)``.
    /// - Throws: The errors of ``endRow()``.
    package func finish() throws(StoreError) -> EncodedRows {
        try assembler.flush(&held)
        return EncodedRows(first: first, count: count, groups: held.groups)
    }
}

/// Consecutive rows of a bulk load, encoded but not written.
package struct EncodedRows: Sendable {
    package let first: RowID
    package let count: Int
    let groups: [EncodedRowGroup]
}
