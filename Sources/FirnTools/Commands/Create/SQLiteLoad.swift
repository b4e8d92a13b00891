import CSQLite
import FirnCodec
import FirnEngine
import FirnValues

/// Loads the rows of a database of SQLite.
struct SQLiteLoad {
    let transaction: WriteTransaction
    let line: Progress
    let environment: CommandEnvironment

    func load(_ planned: PlannedSQLite) throws(CommandFailure) {
        for found in planned.classes { try load(found, planned.database) }
    }

    private func load(
        _ found: PlannedSQLite.Class, _ database: SQLiteDatabase
    ) throws(CommandFailure) {
        guard let schema = transaction.schema.classNamed(found.definition.name) else { return }
        let loader = try CommandFailure.converting { () throws(StoreError) in
            try transaction.bulkLoader(for: schema.id)
        }
        let sink = BulkSink(loader)
        let types = found.definition.properties.map(\.type.base)
        let rows = try CommandFailure.reading { () throws(InputError) in
            try SQLiteStatement(found.table.query, in: database, table: found.table.name)
        }
        var count: UInt64 = 0
        while try CommandFailure.reading({ () throws(InputError) in try rows.step() }) {
            for (index, type) in types.enumerated() {
                do {
                    try append(rows, index, type, to: sink, loader)
                } catch {
                    switch error {
                    case .input(let what):
                        throw CommandFailure(mistake(what, found, in: database.name, index, count))
                    case .store(let error): throw CommandFailure(error)
                    }
                }
            }
            try CommandFailure.converting { () throws(StoreError) in try sink.endRow() }
            count += 1
            if count & 0xFFF == 0 {
                line.update(
                    "loading \(found.table.name)", done: count, of: found.rowCount, .objects)
                try environment.checkSignals()
            }
        }
        try CommandFailure.converting { () throws(StoreError) in try loader.finish() }
        line.clear()
    }

    private enum Failure: Error {
        case input(String)
        case store(StoreError)
    }

    private func mistake(
        _ what: String, _ found: PlannedSQLite.Class, in database: String, _ column: Int,
        _ row: UInt64
    ) -> InputError {
        InputError(
            what.hasPrefix("text") ? .encoding : .unreadable,
            "\(what), in row \(row + 1) of the table \(SafeText.escaping(found.table.name))",
            name: database, column: found.table.columns[column].name)
    }

    @inline(__always)
    private func append(
        _ row: SQLiteStatement, _ index: Int, _ type: ValueTag, to sink: BulkSink,
        _ loader: BulkLoader
    ) throws(Failure) {
        let found = row.type(index)
        switch (found, type) {
        case (SQLITE_NULL, _): sink.appendNull(column: index)
        case (SQLITE_INTEGER, .int): sink.append(int: row.int(index), column: index)
        case (SQLITE_INTEGER, .bool): sink.append(bool: row.int(index) != 0, column: index)
        case (SQLITE_INTEGER, .double), (SQLITE_FLOAT, .double):
            sink.append(double: row.double(index), column: index)
        case (SQLITE_TEXT, .string):
            sink.append(utf8: try text(row, index), column: index)
        case (SQLITE_TEXT, .date):
            guard let time = FieldText.time(row.text(index)) else { throw .input(changed) }
            sink.append(date: time.value, column: index)
        default:
            let value = try value(row, index, found, type)
            do { try loader.append(value, at: index) } catch { throw .store(error) }
        }
    }

    private func value(
        _ row: SQLiteStatement, _ index: Int, _ found: Int32, _ type: ValueTag
    ) throws(Failure) -> Value {
        switch (found, type) {
        case (SQLITE_BLOB, .data), (SQLITE_BLOB, .any): return .data(Array(row.blob(index)))
        case (SQLITE_INTEGER, .any): return .int(row.int(index))
        case (SQLITE_FLOAT, .any): return .double(row.double(index))
        case (SQLITE_TEXT, .any):
            return .string(String(decoding: try text(row, index), as: UTF8.self))
        default: throw .input(changed)
        }
    }

    private var changed: String { "a value of another type than before" }

    @inline(__always)
    private func text(_ row: SQLiteStatement, _ index: Int) throws(Failure) -> SQLiteStatement.Bytes
    {
        let text = row.text(index)
        guard UTF8Validation.firstError(in: UnsafeRawBufferPointer(text)) == nil else {
            throw .input("text that is not UTF-8")
        }
        return text
    }
}
