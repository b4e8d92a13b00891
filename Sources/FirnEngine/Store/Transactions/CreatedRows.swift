import FirnCodec
import FirnValues

/// Rows that a transaction created and has not sealed yet, as values: they can still be changed
/// and removed without a trace.
final class CreatedRows {
    let schema: ClassSchema
    private(set) var rowIDs: [RowID] = []
    /// The values of each row; a row that was removed again has none.
    private var rows: [[Value]?] = []
    /// Rows by primary key.
    private(set) var rowOfKey: [Value: RowID] = [:]
    private(set) var byteCount = 0
    private let keyIndex: Int?

    init(schema: ClassSchema) {
        self.schema = schema
        keyIndex = schema.key.flatMap { schema.index(of: $0) }
    }

    /// Rows including the removed ones.
    var count: Int { rowIDs.count }

    /// - Parameter row: greater than all before.
    func append(_ values: [Value], at row: RowID) {
        rowIDs.append(row)
        rows.append(values)
        byteCount += values.reduce(0) { $0 + $1.approximateByteCount }
        if let keyIndex { rowOfKey[values[keyIndex]] = row }
    }

    /// The values of a row; `nil` if it is not one of these.
    func values(of row: RowID) -> [Value]? { index(of: row).flatMap { rows[$0] } }

    /// Whether the row was created here, even if it was removed again.
    func holds(_ row: RowID) -> Bool { index(of: row) != nil }

    func set(_ property: Int, of row: RowID, to value: Value) {
        guard let index = index(of: row), let old = rows[index]?[property] else { return }
        if property == keyIndex {
            rowOfKey[old] = nil
            rowOfKey[value] = row
        }
        byteCount += value.approximateByteCount - old.approximateByteCount
        rows[index]?[property] = value
    }

    /// Changes a value in place, so that an edit of a long collection does not copy it.
    func modify<Failure: Error>(
        _ property: Int, of row: RowID, _ body: (inout Value) throws(Failure) -> Void
    ) throws(Failure) {
        guard let index = index(of: row), rows[index] != nil else { return }
        var values = rows[index].take() ?? []
        var value = values[property]
        values[property] = .null
        let oldByteCount = value.approximateByteCount
        defer {
            byteCount += value.approximateByteCount - oldByteCount
            values[property] = value
            rows[index] = values
        }
        try body(&value)
    }

    func remove(_ row: RowID) {
        guard let index = index(of: row), let values = rows[index] else { return }
        if let keyIndex { rowOfKey[values[keyIndex]] = nil }
        rows[index] = nil
    }

    private func index(of row: RowID) -> Int? {
        guard let first = rowIDs.first, let last = rowIDs.last, row >= first, row <= last else {
            return nil
        }
        // Mostly dense.
        let guess = row.rawValue - first.rawValue
        if guess < UInt64(rowIDs.count), rowIDs[Int(guess)] == row { return Int(guess) }
        guard let index = Directory.lastIndex(in: rowIDs, { $0 <= row }), rowIDs[index] == row
        else { return nil }
        return index
    }

    /// The rows as a group; `nil` if none is left.
    func sealed() throws(CodecError) -> MemoryRowGroup? {
        let live = rows.indices.filter { rows[$0] != nil }
        guard let first = live.first, let last = live.last else { return nil }
        let firstRowID = rowIDs[first]
        var columns: [PropertyID: ColumnPage] = [:]
        var collections: [PropertyID: CollectionColumn] = [:]
        for (place, property) in schema.properties.enumerated() {
            switch PropertyBuilder(property) {
            case .single(let builder):
                for row in live {
                    try builder.append(property.type.toColumn(rows[row]?[place] ?? .null))
                }
                columns[property.id] = try builder.makePage()
            case .collection(let builder):
                for row in live { try builder.append(rows[row]?[place] ?? .null) }
                collections[property.id] = try builder.makeColumn()
            }
        }
        var offsets: ColumnPage?
        if rowIDs[last].rawValue - firstRowID.rawValue != UInt64(live.count - 1) {
            let builder = ColumnBuilder(kind: .int)
            for row in live {
                builder.append(int: Int64(rowIDs[row].rawValue - firstRowID.rawValue))
            }
            offsets = try builder.makePage()
        }
        return MemoryRowGroup(
            firstRowID: firstRowID, rowCount: live.count, rowIDs: offsets, columns: columns,
            collections: collections)
    }
}

extension Value {
    /// What the value takes in a row group, about.
    var approximateByteCount: Int {
        switch self {
        case .string(let text): 8 + text.utf8.count
        case .data(let bytes): 8 + bytes.count
        case .list(let values), .set(let values):
            values.reduce(8) { $0 + $1.approximateByteCount }
        case .map(let map):
            map.reduce(8) { $0 + 8 + $1.key.utf8.count + $1.value.approximateByteCount }
        // A tag and the longest scalar.
        default: 17
        }
    }
}
