package import FirnPlatform
package import FirnQuery
import FirnText
import FirnValues

/// Writes one `INSERT` per row, after a `CREATE TABLE` if requested, for sqlite3.
///
/// Dates, identifiers and decimals are text; booleans are 0 and 1; Data is a blob; collections, Any
/// and embedded objects are JSON text. SQL has no NaN, so it becomes null.
package final class SQLWriter: ResultWriter {
    private let output: BufferedSink
    private let table: SQLTable
    package let linkStyle = LinkStyle.plain
    private var raw = RawBatch([])
    private var insertion: [UInt8] = []

    package init(_ sink: any ByteSink, _ table: SQLTable) {
        output = BufferedSink(sink)
        self.table = table
    }

    /// - Precondition: there is at least one column, which the command has checked.
    package func begin(_ columns: [ResultColumn]) throws(PlatformError) {
        precondition(!columns.isEmpty, "an SQL table has a column")
        raw = RawBatch(columns)
        let names = SQLNames.distinct(columns.map(\.name))
        if table.parts.contains(.transaction) { output.buffer.append("BEGIN TRANSACTION;\n") }
        if table.parts.contains(.definition) {
            appendDefinition(names, columns.map { ColumnForm(of: $0) })
        }
        insertion = insertion(names)
        try output.flushIfFull()
    }

    package func write(_ batch: ResultBatch) throws(PlatformError) {
        raw.load(batch)
        for row in 0..<raw.rowCount {
            appendRow(row, to: &output.buffer)
            try output.flushIfFull()
        }
    }

    package func finish() throws(PlatformError) {
        if table.parts.contains(.transaction) { output.buffer.append("COMMIT;\n") }
        try output.flush()
    }

    // MARK: The table

    private func appendDefinition(_ names: [String], _ forms: [ColumnForm]) {
        output.buffer.append("CREATE TABLE ")
        output.buffer.append(sqlName: table.name)
        for (index, name) in names.enumerated() {
            output.buffer.append(index == 0 ? "(\n  " : ",\n  ")
            output.buffer.append(sqlName: name)
            output.buffer.append(forms[index].sqlType)
            if index == table.key { output.buffer.append(" PRIMARY KEY NOT NULL") }
            if let reference = table.references[index] {
                output.buffer.append(" REFERENCES ")
                output.buffer.append(sqlName: reference.table)
                output.buffer.append("(")
                output.buffer.append(sqlName: reference.column)
                output.buffer.append(")")
            }
        }
        output.buffer.append("\n);\n")
    }

    /// Returns the start of every row: `INSERT INTO "Person"("id","name") VALUES(`.
    private func insertion(_ names: [String]) -> [UInt8] {
        var text = TextBuffer(capacity: 256)
        text.append("INSERT INTO ")
        text.append(sqlName: table.name)
        if table.parts.contains(.columnNames) {
            for (index, name) in names.enumerated() {
                text.append(index == 0 ? "(" : ",")
                text.append(sqlName: name)
            }
            text.append(")")
        }
        text.append(" VALUES(")
        return Array(text.bytes)
    }

    private func appendRow(_ row: Int, to buffer: inout TextBuffer) {
        buffer.append(insertion)
        let rawColumns = raw.columns
        for index in 0..<raw.columnCount {
            if index > 0 { buffer.append(UInt8(ascii: ",")) }
            if rawColumns[index].isNull(row) {
                buffer.append("NULL")
            } else {
                buffer.append(sqlOf: rawColumns[index], row: row)
            }
        }
        buffer.append(");\n")
    }
}

extension ColumnForm {
    /// The type of a column, preceded by a space.
    fileprivate var sqlType: StaticString {
        switch self {
        case .bool, .int, .wideInt: " INTEGER"
        case .float, .double, .fixed, .rounded: " REAL"
        case .data: " BLOB"
        case .date, .dateOnly, .string, .uuid, .objectID, .decimal128, .json: " TEXT"
        }
    }
}
