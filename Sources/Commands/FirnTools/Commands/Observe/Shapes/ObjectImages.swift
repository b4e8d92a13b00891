import FirnEngine
import FirnFormats
import FirnQuery
import FirnText
import FirnValues

/// The JSON of some objects of one class in one version.
struct ObjectImages {
    /// `"name":` for each column.
    private let labels: [[UInt8]]
    private let columns: [TextColumn]
    private let ids: TextColumn
    private let indices: [RowID: Int]
    /// Whether an object shows its number, because nothing else identifies it.
    private let showsRow: Bool

    /// - Parameter rows: the objects, which exist, in any order.
    init(
        of rows: [RowID], _ shape: ObjectShape, in snapshot: DatabaseSnapshot
    ) throws(QueryFailure) {
        try self.init(of: rows, shape, in: RowContents(snapshot))
    }

    /// - Parameter rows: the rows, which exist, in any order.
    init(
        of rows: [RowID], _ shape: ObjectShape, in contents: RowContents
    ) throws(QueryFailure) {
        let rows = ValueRenderer.distinct(rows)
        showsRow = shape.showsRow
        labels = shape.columns.map { column in
            var label = TextBuffer(capacity: 64)
            label.append(jsonString: column.name)
            label.append(UInt8(ascii: ":"))
            return Array(label.bytes)
        }
        indices = Dictionary(uniqueKeysWithValues: zip(rows, 0...))
        columns = shape.columns.map { _ in TextColumn() }
        ids = TextColumn()
        guard !rows.isEmpty else { return }
        try ObjectImages.append(rows, shape, contents, to: columns)
        try contents.appendIdentities(of: rows, shape, ValueOptions(), .json, to: ids)
    }

    private static func append(
        _ rows: [RowID], _ shape: ObjectShape, _ contents: RowContents,
        to columns: [TextColumn]
    ) throws(QueryFailure) {
        let result = try contents.columns(of: rows, shape)
        let resolver = ResultResolver(result.columns, lookup: contents.lookup)
        let raw = RawBatch(resolver.columns)
        while let found = try result.next() {
            do { raw.load(try resolver.resolve(found)) } catch { throw .store(error) }
            for (index, column) in columns.enumerated() {
                for row in 0..<raw.rowCount {
                    if raw.columns[index].isNull(row) {
                        column.buffer.append("null")
                    } else {
                        column.buffer.append(jsonOf: raw.columns[index], row: row)
                    }
                    column.endText()
                }
            }
        }
    }

    /// Appends the key of an object, or its number.
    func appendID(of row: RowID, to buffer: inout TextBuffer) { append(ids, row, to: &buffer) }

    /// Appends a whole object.
    func append(_ row: RowID, to buffer: inout TextBuffer) {
        buffer.append(UInt8(ascii: "{"))
        if showsRow {
            buffer.append("\"$id\":")
            append(ids, row, to: &buffer)
            if !columns.isEmpty { buffer.append(UInt8(ascii: ",")) }
        }
        appendMembers(row, columns.indices, to: &buffer)
        buffer.append(UInt8(ascii: "}"))
    }

    /// Appends some columns of an object.
    func append(_ row: RowID, only chosen: [Int], to buffer: inout TextBuffer) {
        buffer.append(UInt8(ascii: "{"))
        appendMembers(row, chosen, to: &buffer)
        buffer.append(UInt8(ascii: "}"))
    }

    private func appendMembers(
        _ row: RowID, _ chosen: some Collection<Int>, to buffer: inout TextBuffer
    ) {
        for (number, index) in chosen.enumerated() {
            if number > 0 { buffer.append(UInt8(ascii: ",")) }
            buffer.append(labels[index])
            append(columns[index], row, to: &buffer)
        }
    }

    private func append(_ column: TextColumn, _ row: RowID, to buffer: inout TextBuffer) {
        guard let text = text(column, row) else { return buffer.append("null") }
        if let base = text.baseAddress { buffer.append(base, count: text.count) }
    }

    /// Returns a value as JSON, or `nil` if the object does not exist.
    func text(of row: RowID, column: Int) -> UnsafeBufferPointer<UInt8>? {
        text(columns[column], row)
    }

    /// Returns `nil` if the object does not exist.
    private func text(_ column: TextColumn, _ row: RowID) -> UnsafeBufferPointer<UInt8>? {
        indices[row].flatMap { $0 < column.count ? column.text($0) : nil }
    }

    /// Returns whether a column of an object differs in another version.
    func differs(_ row: RowID, _ column: Int, from other: ObjectImages) -> Bool {
        guard let text = text(columns[column], row),
            let otherText = other.text(other.columns[column], row)
        else { return true }
        return !text.elementsEqual(otherText)
    }
}
