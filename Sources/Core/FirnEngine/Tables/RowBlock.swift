import FirnCodec
import FirnValues

/// New rows stored as values, which are cheap to create, change and merge.
struct RowBlock: Sendable {
    /// The properties of each row, in the order of its values.
    let properties: [PropertySchema]
    /// The row ids, ascending.
    private(set) var rowIDs: [RowID] = []
    /// One column per property.
    private var columns: [MutableColumn]
    /// The approximate size of the rows in a row group, never too low.
    private(set) var byteCount = 0

    /// The approximate size of a row in memory, without data outside its values.
    private let stride: Int

    init(properties: [PropertySchema]) {
        self.properties = properties
        var stride = MemoryLayout<RowID>.stride
        columns = properties.map { property in
            let type = property.type
            let isSingle = type.container == .single
            let kind = isSingle ? property.columnKind : type.vectorKind
            stride += MutableColumn.stride(of: kind)
            return MutableColumn(
                kind: kind, target: isSingle && type.base == .link ? type.target : nil)
        }
        self.stride = stride
    }

    var rowCount: Int { rowIDs.count }

    /// The approximate size of the rows in memory.
    var memoryByteCount: Int { byteCount + rowCount * stride }

    /// Whether the identities have no gaps.
    var isDense: Bool {
        guard let first = rowIDs.first, let last = rowIDs.last else { return true }
        return last.rawValue - first.rawValue == UInt64(rowIDs.count - 1)
    }

    mutating func reserve(_ rowCount: Int) {
        rowIDs.reserveCapacity(rowCount)
        for column in columns.indices { columns[column].reserve(rowCount) }
    }

    /// Adds a row after the others.
    mutating func append(_ row: [Value], at id: RowID) {
        precondition(row.count == columns.count)
        rowIDs.append(id)
        for column in row.indices {
            byteCount += row[column].approximateByteCount
            columns[column].append(row[column])
        }
    }

    // MARK: Rows value by value

    /// Adds values of a row from their encoding; ``endRow(_:)`` completes the row.
    ///
    /// - Parameters:
    ///   - first: The index of the next value.
    ///   - isPlain: By index, whether the column can take the encoded value directly.
    /// - Returns: The index of the first value that was neither read nor added.
    mutating func append(
        from first: Int, where isPlain: [Bool], taggedFrom reader: inout ByteReader,
        textByteCountMaximum: Int
    ) throws(CodecError) -> Int {
        var column = first
        var added = 0
        try columns.withUnsafeMutableBufferPointer { columns throws(CodecError) in
            while column < columns.count, isPlain[column] {
                guard
                    let textByteCount = try columns[column].append(
                        taggedFrom: &reader, textByteCountMaximum: textByteCountMaximum)
                else { break }
                added +=
                    columns[column].kind == .string
                    ? Value.textByteCount + textByteCount : Value.scalarByteCount
                column += 1
            }
        }
        byteCount += added
        return column
    }

    /// Adds the value of a row that ``endRow(_:)`` will complete.
    mutating func append(_ column: Int, _ value: Value) {
        byteCount += value.approximateByteCount
        columns[column].append(value)
    }

    /// Completes the row to which all values were added.
    mutating func endRow(_ id: RowID) { rowIDs.append(id) }

    // MARK: Blocks

    /// Adds all rows of another block of the same properties.
    mutating func append(_ other: RowBlock) {
        rowIDs.append(contentsOf: other.rowIDs)
        for column in columns.indices { columns[column].append(other.columns[column]) }
        byteCount += other.byteCount
    }

    /// Returns the index of a property in each row, or `nil` if it is newer than the block.
    func index(of property: PropertyID) -> Int? {
        properties.firstIndex { $0.id == property }
    }

    func value(at row: Int, _ column: Int) -> Value { columns[column].value(at: row) }

    mutating func set(_ column: Int, at row: Int, to value: Value) {
        byteCount +=
            value.approximateByteCount - columns[column].value(at: row).approximateByteCount
        columns[column].set(value, at: row)
    }

    /// Changes a value in place, so that an edit of a long collection does not copy it.
    mutating func modify<Failure: Error>(
        _ column: Int, at row: Int, _ body: (inout Value) throws(Failure) -> Void
    ) throws(Failure) {
        let old = columns[column].value(at: row).approximateByteCount
        defer { byteCount += columns[column].value(at: row).approximateByteCount - old }
        try columns[column].modify(at: row, body)
    }

    /// Returns the index of a row id.
    func index(of row: RowID) -> Int? {
        guard let first = rowIDs.first, let last = rowIDs.last, row >= first, row <= last else {
            return nil
        }
        // The row ids are usually dense.
        let guess = row.rawValue - first.rawValue
        if guess < UInt64(rowIDs.count), rowIDs[Int(guess)] == row { return Int(guess) }
        guard let index = Bisection.lastIndex(in: rowIDs, { $0 <= row }), rowIDs[index] == row
        else { return nil }
        return index
    }

    // MARK: Columns

    /// Returns the column of a single property.
    func column(_ column: Int) throws(CodecError) -> ColumnPage {
        let builder = ColumnBuilder(kind: properties[column].columnKind)
        try append(Array(0..<UInt32(rowCount))[...], of: column, to: builder)
        return try builder.makePage()
    }

    /// Appends rows of the column of a single property, in their order.
    func append(
        _ rows: ArraySlice<UInt32>, of column: Int, to builder: ColumnBuilder
    ) throws(CodecError) {
        try rows.withUnsafeBufferPointer { rows throws(CodecError) in
            try columns[column].append(rows, to: builder)
        }
    }

    func collection(_ column: Int) throws(CodecError) -> CollectionColumn {
        let builder = CollectionBuilder(properties[column])
        for row in 0..<rowCount { try builder.append(value(at: row, column)) }
        return try builder.makeColumn()
    }

    /// Returns the identities less the first, or `nil` while they are dense.
    func offsets() throws(CodecError) -> ColumnPage? {
        guard !isDense, let first = rowIDs.first else { return nil }
        let builder = ColumnBuilder(kind: .int)
        for id in rowIDs { builder.append(int: Int64(id.rawValue - first.rawValue)) }
        return try builder.makePage()
    }
}

extension Value {
    /// The size of a tag and the longest scalar.
    fileprivate static var scalarByteCount: Int { 17 }
    /// The size of a text in addition to its bytes.
    fileprivate static var textByteCount: Int { 8 }

    /// The approximate size of the value in a row group.
    package var approximateByteCount: Int {
        switch self {
        case .string(let text): Value.textByteCount + text.utf8.count
        case .data(let bytes): Value.textByteCount + bytes.count
        case .list(let values), .set(let values):
            values.reduce(8) { $0 + $1.approximateByteCount }
        case .map(let map):
            map.reduce(8) { $0 + 8 + $1.key.utf8.count + $1.value.approximateByteCount }
        default: Value.scalarByteCount
        }
    }
}
