package import FirnText
import FirnValues

/// The rows of a CSV or TSV input as records.
package final class TableRecords: RecordSource {
    private let table: TableReader
    private let nullText: String?

    /// - Parameter nullText: a text that means null, in addition to the empty field.
    package init(_ table: TableReader, nullText: String?) {
        self.table = table
        self.nullText = nullText
    }

    /// The meaning of the fields.
    package var cells: CellForm { CellForm(numbers: table.rows.format.numbers) }

    package var name: String { table.rows.name }
    package var columnNames: [String]? { table.columnNames }
    package var bytesRead: UInt64 { table.bytesRead }
    package var hasInput: Bool { isReturned || table.rows.hasInput }
    package var canContinue: Bool { table.isAtRow }
    package var line: UInt64 { table.line }

    package func takeBroken() -> BrokenRecord { table.brokenRow }

    /// The row that ``nextRow()`` read.
    var row: RowView { table.row }
    /// Whether ``next()`` returns the row that ``nextRow()`` read.
    private var isReturned = false

    /// Reads the next row without making a record of it.
    func nextRow() throws(InputError) -> Bool { try table.next() }

    /// Leaves the row that ``nextRow()`` read to ``next()``.
    func returnRow() { isReturned = true }

    package func next() throws(InputError) -> ImportItem? {
        if isReturned {
            isReturned = false
        } else {
            guard try table.next() else { return nil }
        }
        let row = table.row
        let position = TextPosition(offset: table.bytesRead, line: row.line)
        var fields: [JSONTree.Member] = []
        fields.reserveCapacity(row.count)
        for (index, name) in table.columnNames.enumerated() where index < row.count {
            fields.append(JSONTree.Member(name: name, value: cell(row, index, position)))
        }
        return .record(
            ImportRecord(className: nil, fields: fields, position: position, cells: cells))
    }

    private func cell(_ row: RowView, _ index: Int, _ position: TextPosition) -> JSONTree {
        if row.isNull(index) { return JSONTree(.null, at: position) }
        let text = String(decoding: row.text(index), as: UTF8.self)
        return JSONTree(text == nullText ? .null : .string(text), at: position)
    }
}
