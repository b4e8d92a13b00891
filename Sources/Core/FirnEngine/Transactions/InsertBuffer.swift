import FirnCodec
import FirnValues

/// Rows that a transaction created and has not sealed yet.
///
/// They are stored as values, and can still be changed and removed without a trace.
final class InsertBuffer {
    let schema: ClassSchema
    // Exclusivity is not checked at run time: no method gives a closure of its caller access to
    // these while it changes them, and the checks cost as much as appending a value.
    @exclusivity(unchecked) private var block: RowBlock
    /// The indices of rows that were removed again.
    @exclusivity(unchecked) private var removed = RowSet()
    /// The rows by primary key, for the first ``listedCount`` rows; not needed while keys ascend.
    private var rowOfKey: [Value: RowID] = [:]
    private var listedCount = 0
    private let keyColumn: Int?

    init(schema: ClassSchema) {
        self.schema = schema
        block = RowBlock(properties: schema.properties)
        keyColumn = schema.key.flatMap { schema.index(of: $0) }
    }

    /// The number of rows including the removed ones.
    var count: Int { block.rowCount }
    /// The number of rows that exist.
    var liveCount: Int { block.rowCount - removed.count }
    var byteCount: Int { block.byteCount }
    /// The identity of the next object of the class.
    var nextRowID: RowID { RowID((block.rowIDs.last?.rawValue ?? 0) + 1) }

    /// - Parameter row: A row id greater than all previous ones.
    func append(_ values: [Value], at row: RowID) { block.append(values, at: row) }

    /// Adds values of the next row, like ``RowBlock``.
    func append(
        from column: Int, _ plan: ClassWriteCache, taggedFrom reader: inout ByteReader
    ) throws(CodecError) -> Int {
        try block.append(
            from: column, where: plan.isPlain, taggedFrom: &reader,
            textByteCountMaximum: ClassWriteCache.Rule.textByteCount)
    }

    func append(_ column: Int, _ value: Value) { block.append(column, value) }

    /// Completes the row to which the values were added.
    func endRow(_ row: RowID) { block.endRow(row) }

    /// Whether the row was created here, even if it was removed again.
    func holds(_ row: RowID) -> Bool { block.index(of: row) != nil }

    /// Whether the row was created here and was not removed.
    func exists(_ row: RowID) -> Bool { liveIndex(of: row) != nil }

    /// Returns the values of a row, or `nil` if the row is not in this buffer.
    func values(of row: RowID) -> [Value]? {
        guard let index = liveIndex(of: row) else { return nil }
        return schema.properties.indices.map { block.value(at: index, $0) }
    }

    /// Returns one value of a row, or `nil` if the row is not in this buffer.
    func value(_ column: Int, of row: RowID) -> Value? {
        liveIndex(of: row).map { block.value(at: $0, column) }
    }

    func set(_ column: Int, of row: RowID, to value: Value) {
        guard let index = liveIndex(of: row) else { return }
        if column == keyColumn, index < listedCount {
            rowOfKey[block.value(at: index, column)] = nil
            rowOfKey[value] = row
        }
        block.set(column, at: index, to: value)
    }

    /// Changes a value in place.
    func modify<Failure: Error>(
        _ column: Int, of row: RowID, _ body: (inout Value) throws(Failure) -> Void
    ) throws(Failure) {
        guard let index = liveIndex(of: row) else { return }
        try block.modify(column, at: index, body)
    }

    func remove(_ row: RowID) {
        guard let index = liveIndex(of: row) else { return }
        if let keyColumn, index < listedCount { rowOfKey[block.value(at: index, keyColumn)] = nil }
        removed.insert(UInt32(index))
    }

    /// Returns the row with a primary key.
    func row(forKey key: Value) -> RowID? {
        guard let keyColumn else { return nil }
        while listedCount < block.rowCount {
            if !removed.contains(UInt32(listedCount)) {
                rowOfKey[block.value(at: listedCount, keyColumn)] = block.rowIDs[listedCount]
            }
            listedCount += 1
        }
        return rowOfKey[key]
    }

    /// Passes the keys of the existing rows, with these rows, to a closure.
    func visitKeys(_ body: (Value, RowID) -> Void) {
        guard let keyColumn else { return }
        for index in 0..<block.rowCount where !removed.contains(UInt32(index)) {
            body(block.value(at: index, keyColumn), block.rowIDs[index])
        }
    }

    private func liveIndex(of row: RowID) -> Int? {
        guard let index = block.index(of: row) else { return nil }
        return removed.isEmpty || !removed.contains(UInt32(index)) ? index : nil
    }

    /// Returns the rows that exist.
    func sealed() -> RowBlock {
        guard !removed.isEmpty else { return block }
        var sealed = RowBlock(properties: block.properties)
        for index in 0..<block.rowCount where !removed.contains(UInt32(index)) {
            sealed.append(
                schema.properties.indices.map { block.value(at: index, $0) },
                at: block.rowIDs[index])
        }
        return sealed
    }
}
