import FirnPlatform
import FirnValues

/// Reads CSV or TSV with a header: every row has as many fields as the header has names.
package final class TableReader {
    private(set) var rows: DelimitedReader
    /// The names of the columns: those of the header without the blanks around them; `column3`
    /// where the header has nothing.
    package let columnNames: [String]
    /// Whether a row was taken from the input, so that reading can go on with the next one even if
    /// this one is wrong.
    private(set) var isAtRow = false
    /// Empty lines stood before the row that was read last: it is still to be given.
    private var emptyLine: UInt64?

    package init(
        _ source: any ByteSource, _ format: DelimitedFormat,
        limits: ReadingLimits = ReadingLimits()
    ) throws(InputError) {
        rows = try DelimitedReader(source, format, limits: limits)
        columnNames = try TableReader.readHeader(&rows)
    }

    /// The fields of the current row; valid until the next.
    var row: RowView { rows.row }

    /// The line that the current row begins on, or what is wrong instead of it.
    var line: UInt64 { emptyLine ?? rows.rowLine }

    /// The current row if it is wrong: its fields, or its bytes if they are no text.
    var brokenRow: BrokenRecord {
        let place = JSONPlace(offset: bytesRead, line: line)
        guard emptyLine == nil else { return .tree(JSONTree(.array([]), at: place)) }
        var fields: [JSONTree] = []
        for index in 0..<rows.fieldCount {
            guard let text = String(validating: rows.text(index), as: UTF8.self) else {
                return .bytes(rows.rowBytes)
            }
            fields.append(JSONTree(row.isNull(index) ? .null : .string(text), at: place))
        }
        return .tree(JSONTree(.array(fields), at: place))
    }

    /// How many bytes of the input were read, for progress.
    package var bytesRead: UInt64 { rows.bytesRead }

    /// Goes to the next row that is not empty, and checks it.
    ///
    /// An empty line is a row of one null where there is one column. With more columns it may only
    /// stand at the end of the input.
    ///
    /// - Returns: whether there is one.
    package func next() throws(InputError) -> Bool {
        isAtRow = false
        if emptyLine == nil {
            guard try rows.next() else { return false }
        }
        emptyLine = nil
        isAtRow = true
        if rows.fieldCount != columnNames.count {
            guard isEmptyLine else { throw countError() }
            let line = rows.rowLine
            isAtRow = false
            while try rows.next() {
                guard isEmptyLine else {
                    (emptyLine, isAtRow) = (line, true)
                    throw emptyLineError(line)
                }
            }
            return false
        }
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
            "\(found) field\(found == 1 ? "" : "s") where the header has \(expected)",
            name: rows.name, line: rows.rowLine, excerpt: rows.rowExcerpt,
            remedy: found > expected
                ? "a field that holds the delimiter must be in quotes" : nil)
    }

    private func emptyLineError(_ line: UInt64) -> InputError {
        InputError(
            .syntax, "an empty line between rows", name: rows.name, line: line,
            remedy: "only the end of the input may have empty lines")
    }

    private static func readHeader(_ rows: inout DelimitedReader) throws(InputError) -> [String] {
        guard try rows.next() else {
            throw InputError(
                .syntax, "the input is empty", name: rows.name,
                remedy: "the first line must name the columns")
        }
        guard rows.fieldCount > 1 || !rows.row.isNull(0) else {
            throw InputError(
                .syntax, "the first line is empty", name: rows.name, line: rows.rowLine,
                remedy: "the first line must name the columns")
        }
        try rows.validateText([])
        var names: [String] = []
        var places: [String: Int] = [:]
        for index in 0..<rows.fieldCount {
            let trimmed = TableReader.trimming(rows.string(index))
            let name = trimmed.isEmpty ? "column\(index + 1)" : trimmed
            if let other = places[name] {
                throw InputError(
                    .syntax,
                    "columns \(other + 1) and \(index + 1) are both called "
                        + "\"\(SafeText.escaping(name))\"",
                    name: rows.name, line: rows.rowLine,
                    remedy: "give one of them another name in the header")
            }
            places[name] = index
            names.append(name)
        }
        return names
    }

    /// Without the blanks and tabs around it.
    private static func trimming(_ text: String) -> String {
        func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }
        let front = text.utf8.drop(while: isBlank)
        var bytes = Array(front)
        while let last = bytes.last, isBlank(last) { bytes.removeLast() }
        return String(decoding: bytes, as: UTF8.self)
    }
}
