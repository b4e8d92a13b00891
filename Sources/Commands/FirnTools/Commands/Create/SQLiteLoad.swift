import CSQLite
import FirnCodec
import FirnEngine
import FirnFormats
import FirnText
import FirnValues

/// Loads the rows of an SQLite database.
struct SQLiteLoad {
    let transaction: WriteTransaction
    let line: Progress
    let environment: CommandEnvironment

    /// - Parameter records: writes the objects that the bulk loader cannot load.
    func load(_ planned: PlannedSQLite, _ records: RecordLoad) throws(CommandFailure) {
        for found in planned.classes {
            if found.isExported, try !isBulkLoadable(found, planned.database) {
                try load(found, planned, records)
            } else {
                try load(found, planned.database)
            }
        }
    }

    /// Returns whether all values of an exported table are single values with one form in SQLite,
    /// and whether objects without a key have the numbers that the bulk loader gives.
    private func isBulkLoadable(
        _ found: PlannedSQLite.Class, _ database: SQLiteDatabase
    ) throws(CommandFailure) -> Bool {
        let bases: Set<ValueTag> = [.int, .bool, .double, .string, .date, .data]
        let areSingle = found.definition.properties.allSatisfy { property in
            property.type.container == .single && bases.contains(property.type.base)
                && property.type.integerWidth == .bits64
        }
        guard areSingle, found.definition.keyName == nil,
            let schema = transaction.schema.classNamed(found.definition.name)
        else { return areSingle }
        let first = try CommandFailure.converting(transaction.nextRowID(in: schema.id))
        return try CommandFailure.reading { () throws(InputError) in
            let range = try SQLiteStatement(
                "SELECT min(\"$id\"), max(\"$id\"), count(*) FROM "
                    + SQLNames.quoted(found.table.name), in: database, table: found.table.name)
            guard try range.step(), range.int(2) > 0 else { return true }
            let (span, overflow) = range.int(1).subtractingReportingOverflow(range.int(0))
            return !overflow && span == range.int(2) - 1
                && UInt64(exactly: range.int(0)) == first.rawValue
        }
    }

    /// Writes the objects of an exported table record by record.
    private func load(
        _ found: PlannedSQLite.Class, _ planned: PlannedSQLite, _ writer: RecordLoad
    ) throws(CommandFailure) {
        let database = planned.database
        var records = try CommandFailure.reading { () throws(InputError) in
            try SQLiteRecords(
                found.table, of: found.definition, among: planned.definitions, in: database)
        }
        let place = "in the table \(SafeText.escaping(found.table.name))"
        while true {
            let record: ImportRecord?
            do { record = try records.next() } catch { throw CommandFailure(error) }
            guard let record else { break }
            try writer.load(record, found.definition.name, database.name, in: place)
            if records.rowCount & 0xFFF == 0 {
                line.update(
                    "loading \(found.table.name)", done: records.rowCount, of: found.rowCount,
                    .objects)
                try environment.checkSignals()
            }
        }
        line.clear()
    }

    private func load(
        _ found: PlannedSQLite.Class, _ database: SQLiteDatabase
    ) throws(CommandFailure) {
        guard let schema = transaction.schema.classNamed(found.definition.name) else { return }
        let loader = try CommandFailure.converting { () throws(StoreError) in
            try transaction.bulkLoader(for: schema.id)
        }
        // Unmanaged, because counting references would cost more than appending; the loader has them.
        let columns = loader.columns.map { Unmanaged.passUnretained($0) }
        let types = found.definition.properties.map(\.type.base)
        // The number of an object without a key is the first column.
        let shift = found.isExported && found.definition.keyName == nil ? 1 : 0
        let rows = try CommandFailure.reading { () throws(InputError) in
            try SQLiteStatement(
                found.isExported ? found.table.queryInOrder : found.table.query, in: database,
                table: found.table.name)
        }
        var count: UInt64 = 0
        while try CommandFailure.reading({ () throws(InputError) in try rows.step() }) {
            for (index, type) in types.enumerated() {
                do {
                    try append(rows, index + shift, type, to: columns[index], index, loader)
                } catch {
                    switch error {
                    case .input(let what):
                        throw CommandFailure(
                            mistake(what, found, in: database.name, index + shift, count))
                    case .store(let error): throw CommandFailure(error)
                    }
                }
            }
            try CommandFailure.converting { () throws(StoreError) in try loader.endRow() }
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
        let isForeign = found.isExported && what == changed
        let what = isForeign ? "a value that its property cannot have" : what
        return InputError(
            isForeign ? .type : what.hasPrefix("text") ? .encoding : .unreadable,
            "\(what), in row \(row + 1) of the table \(SafeText.escaping(found.table.name))",
            name: database, column: found.table.columns[column].name,
            remedy: isForeign
                ? "without the table \(SQLiteSchemaTable.name), types are found in the data" : nil)
    }

    @inline(__always)
    private func append(
        _ row: SQLiteStatement, _ index: Int, _ type: ValueTag,
        to builder: Unmanaged<ColumnBuilder>, _ column: Int, _ loader: BulkLoader
    ) throws(Failure) {
        let found = row.type(index)
        switch (found, type) {
        case (SQLITE_NULL, _): builder._withUnsafeGuaranteedRef { $0.appendNull() }
        case (SQLITE_INTEGER, .int):
            builder._withUnsafeGuaranteedRef { $0.append(int: row.int(index)) }
        case (SQLITE_INTEGER, .bool):
            builder._withUnsafeGuaranteedRef { $0.append(bool: row.int(index) != 0) }
        case (SQLITE_INTEGER, .double), (SQLITE_FLOAT, .double):
            builder._withUnsafeGuaranteedRef { $0.append(double: row.double(index)) }
        case (SQLITE_TEXT, .string):
            let text = try text(row, index)
            builder._withUnsafeGuaranteedRef { $0.append(utf8: text) }
        case (SQLITE_TEXT, .date):
            let text = row.text(index)
            guard let time = FieldText.time(text)?.value ?? Timestamp.parse(text)?.timestamp else {
                throw .input(changed)
            }
            builder._withUnsafeGuaranteedRef { $0.append(date: time) }
        default:
            let value = try value(row, index, found, type)
            do { try loader.append(value, at: column) } catch { throw .store(error) }
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
