import FirnPlatform
package import FirnText
import FirnValues

/// Reads CSV or TSV with a header: every row has as many fields as the header.
package final class TableReader {
    private(set) var rows: DelimitedReader
    /// The names of the columns: the names in the header without surrounding spaces; `column3` if a
    /// name is empty.
    package let columnNames: [String]
    /// The columns whose names earlier columns already had.
    package let renamedColumns: [RenamedColumn]

    /// Whether a row was read from the input, so that reading can continue with the next row even
    /// if this row is invalid.
    private(set) var isAtRow = false
    /// Whether the first row was read to count its fields, and is still to be returned.
    private var isBeforeFirst = false

    /// - Parameter start: the position in the input at which the source begins, for errors.
    package init(
        _ source: any ByteSource, _ format: DelimitedFormat, at start: TextPosition = .start,
        limits: ReadingLimits = ReadingLimits()
    ) throws(InputError) {
        rows = try DelimitedReader(source, format, at: start, limits: limits)
        for _ in 0..<format.skippedLineCount {
            guard try rows.skipLine() else { break }
        }
        switch format.header {
        case .firstRow: (columnNames, renamedColumns) = try TableReader.readHeader(&rows)
        case .names(let names): (columnNames, renamedColumns) = (names, [])
        case .none:
            renamedColumns = []
            isBeforeFirst = try rows.next()
            columnNames = (0..<(isBeforeFirst ? rows.fieldCount : 0)).map { "column\($0 + 1)" }
        }
    }

    /// Reads rows of a table whose header was read before.
    ///
    /// - Parameters:
    ///   - source: the rows from a position on.
    ///   - start: the position, at the start of a row.
    package init(
        _ source: any ByteSource, continuing table: TableForm, at start: TextPosition,
        limits: ReadingLimits = ReadingLimits()
    ) throws(InputError) {
        rows = try DelimitedReader(source, table.format, at: start, limits: limits)
        (columnNames, renamedColumns) = (table.columnNames, [])
    }

    /// The form that a reader of a later part of the table needs.
    var form: TableForm { TableForm(format: rows.format, columnNames: columnNames) }

    /// The fields of the current row, which are valid until the next row is read.
    var row: RowView { rows.row }

    /// The first line of the current row.
    var line: UInt64 { rows.rowLine }

    /// The current row if it is invalid: its fields, or its bytes if they are not text.
    var brokenRow: BrokenRecord {
        let position = TextPosition(offset: bytesRead, line: line)
        var fields: [JSONTree] = []
        for index in 0..<rows.fieldCount {
            guard let text = String(validating: rows.text(index), as: UTF8.self) else {
                return .bytes(rows.rowBytes)
            }
            fields.append(JSONTree(row.isNull(index) ? .null : .string(text), at: position))
        }
        return .tree(JSONTree(.array(fields), at: position))
    }

    /// The number of bytes read, for progress.
    package var bytesRead: UInt64 { rows.bytesRead }

    /// Advances to the next row, and checks it.
    ///
    /// In a table with one column, an empty line is a row with a null; other tables have no row there.
    ///
    /// - Returns: whether there is a next row.
    package func next() throws(InputError) -> Bool {
        let count = columnNames.count
        repeat {
            isAtRow = false
            if !isBeforeFirst {
                guard try rows.next() else { return false }
            }
            isBeforeFirst = false
        } while isEmptyLine && count > 1
        isAtRow = true
        // Some programs end each row with a delimiter, but not the header.
        if rows.fieldCount == count + 1, rows.row.isNull(count), count > 1 { rows.dropLastField() }
        guard rows.fieldCount == count else { throw countError() }
        try rows.validateText(columnNames)
        return true
    }

    private var isEmptyLine: Bool {
        rows.fieldCount == 1 && rows.row.isNull(0)
    }

    private func countError() -> InputError {
        let (found, expected) = (rows.fieldCount, columnNames.count)
        return InputError(
            .syntax,
            "\(found) field\(found == 1 ? "" : "s") where \(headerNoun) \(expected)",
            name: rows.name, line: rows.rowLine, excerpt: rows.rowExcerpt,
            remedy: found < expected
                ? "--on-error skip leaves such rows out"
                : expected == 1
                    ? "--skip-lines N leaves out lines before the header, --delimiter names another one"
                    : "a field that holds the delimiter must be in quotes")
    }

    private var headerNoun: String {
        switch rows.format.header {
        case .firstRow: "the header has"
        case .none: "the first row has"
        case .names: "--columns names"
        }
    }

    private static func readHeader(
        _ rows: inout DelimitedReader
    ) throws(InputError) -> ([String], [RenamedColumn]) {
        repeat {
            guard try rows.next() else {
                throw InputError(
                    .syntax, "the input is empty", name: rows.name,
                    remedy: "the first line must name the columns")
            }
        } while rows.fieldCount == 1 && rows.row.isNull(0)
        try rows.validateText([])
        let given = (0..<rows.fieldCount).map { index in
            let trimmed = TableReader.trimming(rows.string(index))
            return trimmed.isEmpty ? "column\(index + 1)" : OutsideName.valid(trimmed)
        }
        return RenamedColumn.numbering(given)
    }

    /// Returns the text without surrounding spaces and tabs.
    private static func trimming(_ text: String) -> String {
        func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }
        let front = text.utf8.drop(while: isBlank)
        var bytes = Array(front)
        while let last = bytes.last, isBlank(last) { bytes.removeLast() }
        return String(decoding: bytes, as: UTF8.self)
    }
}
