import FirnEngine
package import FirnPlatform
package import FirnQuery
import FirnValues

/// Writes a result as one table of an SQLite database.
///
/// Booleans are 0 and 1; dates, identifiers and decimals are text; Data is a blob; collections, Any
/// and embedded objects are JSON text. The declared types say more than SQLite needs, so that other
/// programs recognize dates and booleans.
package final class SQLiteResultWriter: FailingResultWriter {
    package let linkStyle = LinkStyle.json
    private let output: SQLiteOutput
    private let table: SQLTable
    private var raw = RawBatch([])
    private var columns: [ResultColumn] = []
    private var names: [String] = []
    private var insertion: SQLiteInsertion?
    /// The texts of a batch, for columns that SQLite stores as text.
    private var texts: [TextColumn?] = []
    package private(set) var failure: CommandFailure?

    /// - Parameter table: the table, whose names are free in the database.
    package init(_ output: SQLiteOutput, _ table: SQLTable) {
        self.output = output
        self.table = table
    }

    package func begin(_ columns: [ResultColumn]) throws(PlatformError) {
        raw = RawBatch(columns)
        self.columns = columns
        names = SQLNames.distinct(columns.map(\.name))
        output.reserve([table.name])
    }

    /// Creates the table.
    ///
    /// - Parameter forms: the forms of its columns; only values show whether a link is a number.
    private func create(_ forms: [ColumnForm]) throws(CommandFailure) -> SQLiteInsertion {
        try output.execute(definition(forms))
        let places = names.map { _ in "?" }.joined(separator: ",")
        let insertion = try SQLiteInsertion(
            "INSERT INTO \(SQLNames.quoted(table.name)) VALUES(\(places))", into: output)
        self.insertion = insertion
        return insertion
    }

    package func write(_ batch: ResultBatch) throws(PlatformError) {
        raw.load(batch)
        texts = (0..<raw.columnCount).map {
            raw.columns[$0].form.isRendered ? raw.texts(of: $0) : nil
        }
        countLosses()
        try keepingFailure { () throws(CommandFailure) in
            let made = insertion
            let forms = (0..<raw.columnCount).map { raw.columns[$0].form }
            let insertion: SQLiteInsertion
            if let made { insertion = made } else { insertion = try create(forms) }
            for row in 0..<raw.rowCount { try insert(row, with: insertion) }
        }
    }

    /// Creates the indexes, which is faster than maintaining them while rows are inserted.
    package func finish() throws(PlatformError) {
        try keepingFailure { () throws(CommandFailure) in
            if insertion == nil {
                let forms = columns.indices.map { index in
                    // A link to the number of an object is a number, which only values show.
                    table.references[index]?.column == "$id" ? .int : ColumnForm(of: columns[index])
                }
                _ = try create(forms)
            }
            insertion = nil
            for index in table.indexes where index.columns.allSatisfy({ $0 < names.count }) {
                try output.execute(statement(making: index))
            }
        }
    }

    private func statement(making index: SQLTable.Index) -> String {
        let columns = index.columns.map { names[$0] }
        let name = output.newName("\(table.name)_\(columns.joined(separator: "_"))")
        // SQLite ignores the case of ASCII letters only, so such an index could refuse nothing more.
        let collation = index.ignoresCase ? " COLLATE NOCASE" : ""
        let list = columns.map { SQLNames.quoted($0) + collation }.joined(separator: ", ")
        return "CREATE \(index.isUnique ? "UNIQUE " : "")INDEX \(SQLNames.quoted(name)) ON "
            + "\(SQLNames.quoted(table.name))(\(list))"
    }

    private func keepingFailure(
        _ body: () throws(CommandFailure) -> Void
    ) throws(PlatformError) {
        do { try body() } catch {
            failure = error
            throw PlatformError(.other, operation: "write", path: "")
        }
    }

    // MARK: The table

    private func definition(_ forms: [ColumnForm]) -> String {
        var lines: [String] = []
        for (index, name) in names.enumerated() {
            var type = forms[index].sqliteType
            // INTEGER PRIMARY KEY would sort the rows; INT keeps them in their order.
            if index == table.key, !table.isKeyAscending, type == "INTEGER" { type = "INT" }
            var line = "  \(SQLNames.quoted(name)) \(type)"
            if index == table.key { line += " PRIMARY KEY NOT NULL" }
            if index == table.uniqueColumn { line += " UNIQUE" }
            if let reference = table.references[index] {
                line += " REFERENCES \(SQLNames.quoted(reference.table))"
                line += "(\(SQLNames.quoted(reference.column)))"
            }
            lines.append(line)
        }
        return "CREATE TABLE \(SQLNames.quoted(table.name)) (\n"
            + lines.joined(separator: ",\n") + "\n)"
    }

    // MARK: Values

    @inline(__always)
    private func insert(_ row: Int, with insertion: SQLiteInsertion) throws(CommandFailure) {
        let columns = raw.columns
        for index in 0..<raw.columnCount {
            guard !columns[index].isNull(row) else {
                insertion.bindNull(index)
                continue
            }
            switch columns[index].form {
            case .bool, .int, .wideInt: insertion.bind(index, int: columns[index].numbers[row])
            case .double, .fixed, .rounded, .float:
                // SQLite makes a NaN null.
                insertion.bind(index, double: columns[index].double(row))
            case .data: try insertion.bind(index, blob: columns[index].text(row))
            case .string, .json: try insertion.bind(index, text: columns[index].text(row))
            case .date, .dateOnly, .uuid, .objectID, .decimal128:
                guard let text = texts[index]?.text(row) else { continue }
                try insertion.bind(index, text: text)
            }
        }
        try insertion.run()
    }

    private func countLosses() {
        for index in 0..<raw.columnCount {
            switch raw.columns[index].form {
            case .double, .fixed, .rounded, .float: break
            default: continue
            }
            var notNumbers: UInt64 = 0
            var negativeZeros: UInt64 = 0
            for row in 0..<raw.rowCount where !raw.columns[index].isNull(row) {
                let value = raw.columns[index].double(row)
                if value.isNaN { notNumbers += 1 }
                if value == 0, value.sign == .minus { negativeZeros += 1 }
            }
            output.losses.noteNotNumbers(notNumbers, table: table.name, column: names[index])
            output.losses.noteNegativeZeros(negativeZeros, table: table.name, column: names[index])
        }
    }
}

extension ColumnForm {
    /// Whether SQLite stores the values as texts, unlike the vector.
    fileprivate var isRendered: Bool {
        switch self {
        case .date, .dateOnly, .uuid, .objectID, .decimal128: true
        default: false
        }
    }

    /// The declared type of a column.
    ///
    /// SQLite converts a text that looks like a number if the type is none of text: no date looks
    /// like one, but a decimal and some identifiers do.
    fileprivate var sqliteType: String {
        switch self {
        case .bool: "BOOLEAN"
        case .int, .wideInt: "INTEGER"
        case .float, .double, .fixed, .rounded: "REAL"
        case .data: "BLOB"
        case .date: "DATETIME"
        case .dateOnly: "DATE"
        case .string, .uuid, .objectID, .decimal128, .json: "TEXT"
        }
    }
}
