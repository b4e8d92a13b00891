import FirnCodec
import FirnValues

/// Rows that a transaction created and has not sealed yet, as values: they can still be changed
/// and removed without a trace.
final class InsertBuffer {
    let schema: ClassSchema
    // Exclusivity is not checked at run time: no method hands a closure of its caller access to
    // these while it changes them, and the checks cost as much as appending a value.
    @exclusivity(unchecked) private var block: RowBlock
    /// Places of rows that were removed again.
    @exclusivity(unchecked) private var removed = RowSet()
    /// Rows by primary key, of the first ``listedCount`` rows: while keys ascend nobody asks.
    private var rowOfKey: [Value: RowID] = [:]
    private var listedCount = 0
    private let keyPlace: Int?

    init(schema: ClassSchema) {
        self.schema = schema
        block = RowBlock(properties: schema.properties)
        keyPlace = schema.key.flatMap { schema.index(of: $0) }
    }

    /// Rows including the removed ones.
    var count: Int { block.rowCount }
    /// Rows that exist.
    var liveCount: Int { block.rowCount - removed.count }
    var byteCount: Int { block.byteCount }
    /// The identity of the next object of the class.
    var nextRowID: RowID { RowID((block.rowIDs.last?.rawValue ?? 0) + 1) }

    /// - Parameter row: greater than all before.
    func append(_ values: [Value], at row: RowID) { block.append(values, at: row) }

    /// Adds values of the row that comes next, as ``RowBlock`` does.
    func append(
        from place: Int, _ plan: ClassWriteCache, taggedFrom reader: inout ByteReader
    ) throws(CodecError) -> Int {
        try block.append(
            from: place, where: plan.isPlain, taggedFrom: &reader,
            textByteCountMaximum: ClassWriteCache.Rule.textByteCount)
    }

    func append(_ place: Int, _ value: Value) { block.append(place, value) }

    /// Adds the row whose values were added.
    func endRow(_ row: RowID) { block.endRow(row) }

    /// Whether the row was created here, even if it was removed again.
    func holds(_ row: RowID) -> Bool { block.index(of: row) != nil }

    /// Whether the row was created here and was not removed.
    func exists(_ row: RowID) -> Bool { liveIndex(of: row) != nil }

    /// The values of a row; `nil` if it is not one of these.
    func values(of row: RowID) -> [Value]? {
        guard let index = liveIndex(of: row) else { return nil }
        return schema.properties.indices.map { block.value(at: index, $0) }
    }

    /// One value of a row; `nil` if it is not one of these.
    func value(_ place: Int, of row: RowID) -> Value? {
        liveIndex(of: row).map { block.value(at: $0, place) }
    }

    func set(_ place: Int, of row: RowID, to value: Value) {
        guard let index = liveIndex(of: row) else { return }
        if place == keyPlace, index < listedCount {
            rowOfKey[block.value(at: index, place)] = nil
            rowOfKey[value] = row
        }
        block.set(place, at: index, to: value)
    }

    /// Changes a value in its place.
    func modify<Failure: Error>(
        _ place: Int, of row: RowID, _ body: (inout Value) throws(Failure) -> Void
    ) throws(Failure) {
        guard let index = liveIndex(of: row) else { return }
        try block.modify(place, at: index, body)
    }

    func remove(_ row: RowID) {
        guard let index = liveIndex(of: row) else { return }
        if let keyPlace, index < listedCount { rowOfKey[block.value(at: index, keyPlace)] = nil }
        removed.insert(UInt32(index))
    }

    /// The row with a primary key.
    func row(forKey key: Value) -> RowID? {
        guard let keyPlace else { return nil }
        while listedCount < block.rowCount {
            if !removed.contains(UInt32(listedCount)) {
                rowOfKey[block.value(at: listedCount, keyPlace)] = block.rowIDs[listedCount]
            }
            listedCount += 1
        }
        return rowOfKey[key]
    }

    /// The keys of the rows that exist, with their rows.
    func visitKeys(_ body: (Value, RowID) -> Void) {
        guard let keyPlace else { return }
        for index in 0..<block.rowCount where !removed.contains(UInt32(index)) {
            body(block.value(at: index, keyPlace), block.rowIDs[index])
        }
    }

    private func liveIndex(of row: RowID) -> Int? {
        guard let index = block.index(of: row) else { return nil }
        return removed.isEmpty || !removed.contains(UInt32(index)) ? index : nil
    }

    /// The rows that exist.
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
