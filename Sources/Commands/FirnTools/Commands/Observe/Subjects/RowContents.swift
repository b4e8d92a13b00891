import FirnFormats
import FirnQuery
import FirnText
import FirnValues

/// The rows of a query that delivers values, each with a number by which a stream refers to it.
struct NumberedRows {
    let table: ValueTable
    let rows: [RowID]
    private let indices: [RowID: Int]

    /// - Parameter rows: one number for each row of the table.
    init(_ table: ValueTable, _ rows: [RowID]) {
        self.table = table
        self.rows = rows
        indices = Dictionary(uniqueKeysWithValues: zip(rows, 0...))
    }

    /// Returns these rows with other values.
    func replacing(_ table: ValueTable) -> NumberedRows {
        NumberedRows(table: table, rows: rows, indices: indices)
    }

    private init(table: ValueTable, rows: [RowID], indices: [RowID: Int]) {
        self.table = table
        self.rows = rows
        self.indices = indices
    }

    /// Returns the positions of some rows; rows that are not in the table are ignored.
    func positions(_ rows: [RowID]) -> [Int] { rows.compactMap { indices[$0] } }
}

/// The contents of the shown rows at one version: of objects, or of the rows of values.
struct RowContents {
    let snapshot: DatabaseSnapshot
    /// `nil` if the rows are objects.
    var values: NumberedRows?

    init(_ snapshot: DatabaseSnapshot, _ values: NumberedRows? = nil) {
        self.snapshot = snapshot
        self.values = values
    }

    /// Returns the shown columns of some rows, which exist, in any order.
    func columns(
        of rows: [RowID], _ shape: ObjectShape
    ) throws(QueryFailure) -> any ResultRows {
        guard let values else { return try snapshot.rows(shape.rendering, among: rows) }
        return values.table.rows(values.positions(rows))
    }

    var lookup: SnapshotLookup { SnapshotLookup(snapshot.snapshot) }

    /// Appends what identifies each row: the key of an object or its number; the key of a group, or
    /// an array of several keys; null for the only row of aggregates.
    ///
    /// - Parameter style: `plain` for texts without quotation marks.
    func appendIdentities(
        of rows: [RowID], _ shape: ObjectShape, _ options: ValueOptions, _ style: LinkStyle,
        to texts: TextColumn
    ) throws(QueryFailure) {
        guard let values else {
            do {
                let keys = try ValueRenderer(lookup: lookup, options: options)
                    .keyTexts(rows, shape.classSchema, style)
                for row in rows {
                    keys.append(row, to: texts)
                    texts.endText()
                }
            } catch { throw .store(error) }
            return
        }
        let result = values.table.keyRows(values.positions(rows))
        let resolver = ResultResolver(result.columns, lookup: lookup, options)
        let raw = RawBatch(resolver.columns)
        while let found = try result.next() {
            do { raw.load(try resolver.resolve(found)) } catch { throw .store(error) }
            for row in 0..<raw.rowCount {
                RowContents.append(raw, row, style, to: &texts.buffer)
                texts.endText()
            }
        }
    }

    private static func append(
        _ raw: RawBatch, _ row: Int, _ style: LinkStyle, to buffer: inout TextBuffer
    ) {
        func append(_ index: Int) {
            let column = raw.columns + index
            if column.pointee.isNull(row) {
                buffer.append("null")
            } else {
                buffer.append(jsonOf: column.pointee, row: row)
            }
        }
        switch raw.columnCount {
        case 0: if style != .plain { buffer.append("null") }
        case 1 where style == .plain:
            let column = raw.columns
            if column.pointee.isNull(row) { return }
            guard column.pointee.isText else {
                return buffer.append(scalarOf: column.pointee, row: row)
            }
            let text = column.pointee.text(row)
            if let base = text.baseAddress { buffer.append(base, count: text.count) }
        case 1: append(0)
        default:
            for index in 0..<raw.columnCount {
                buffer.append(UInt8(ascii: index == 0 ? "[" : ","))
                append(index)
            }
            buffer.append(UInt8(ascii: "]"))
        }
    }
}
