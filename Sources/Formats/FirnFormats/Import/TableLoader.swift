package import FirnEngine
package import FirnText
import FirnValues

/// The reason why an import was not completed.
package enum ImportFailure: Error, Sendable {
    case input(InputError)
    case store(StoreError)
}

/// Reads tables for the second time and passes their values to the store.
package struct TableLoader<Sink: RowSink> {
    /// The data about one field of a row that the loader needs, without reference counting.
    private struct Field {
        /// The index of the column in the class.
        let column: Int
        let base: ValueTag
        let isOptional: Bool
        let isDeclared: Bool
    }

    private let columns: [ColumnDecision]
    private let key: Int?
    private let nullText: NullText
    private let sink: Sink

    /// - Parameters:
    ///   - columns: the result of type inference for all tables of the class.
    ///   - key: the index of the primary key, if it must not be null.
    ///   - nullText: a text that means null in every column.
    package init(columns: [ColumnDecision], key: Int?, nullText: String? = nil, into sink: Sink) {
        self.columns = columns
        self.key = key
        self.nullText = NullText(nullText)
        self.sink = sink
    }

    /// Loads all rows of a table; a column that the table lacks is null.
    ///
    /// - Parameter progress: called periodically with the number of bytes read; `false` stops
    ///   reading with an error.
    /// - Returns: the number of rows.
    package func load(
        _ table: TableReader, progress: (UInt64) -> Bool = { _ in true }
    ) throws(ImportFailure) -> UInt64 {
        let fields: [Field]
        do { fields = try self.fields(of: table) } catch { throw .input(error) }
        let given = Set(fields.map(\.column))
        let missing = columns.indices.filter { !given.contains($0) }
        var rowCount: UInt64 = 0
        while true {
            do {
                guard try table.next() else { return rowCount }
                try append(table, fields, missing)
            } catch { throw .input(error) }
            do { try sink.endRow() } catch { throw .store(error) }
            rowCount += 1
            if rowCount & 0x3FFF == 0, !progress(table.bytesRead) {
                throw .input(table.endedError)
            }
        }
    }

    private func fields(of table: TableReader) throws(InputError) -> [Field] {
        var fields: [Field] = []
        for name in table.columnNames {
            guard let index = columns.firstIndex(where: { $0.name == name }) else {
                throw table.changedError
            }
            let column = columns[index]
            fields.append(
                Field(
                    column: index, base: column.type.base, isOptional: column.type.isOptional,
                    isDeclared: column.isDeclared))
        }
        return fields
    }

    @inline(__always)
    private func append(
        _ table: TableReader, _ fields: [Field], _ missing: [Int]
    ) throws(InputError) {
        let row = table.row
        guard row.count == fields.count else { throw table.changedError }
        for index in fields.indices {
            let field = fields[index]
            if row.isNull(index) || nullText.matches(row.text(index)) {
                try appendNull(table, field)
            } else if field.base == .string {
                sink.append(utf8: row.text(index), column: field.column)
            } else if field.isDeclared {
                try appendDeclared(table, row.text(index), field, index)
            } else if let numbers = table.rows.format.numbers {
                try append(table, row.text(index), field, numbers)
            } else {
                try appendInferred(table, row.text(index), field)
            }
        }
        for column in missing {
            if column == key { throw keyError(table, column) }
            sink.appendNull(column: column)
        }
    }

    @inline(__always)
    private func appendNull(_ table: TableReader, _ field: Field) throws(InputError) {
        if field.column == key { throw keyError(table, field.column) }
        guard field.isOptional else { throw table.changedError }
        sink.appendNull(column: field.column)
    }

    @inline(__always)
    private func appendInferred(
        _ table: TableReader, _ text: UnsafeBufferPointer<UInt8>, _ field: Field
    ) throws(InputError) {
        switch field.base {
        case .int:
            if let value = NumberText.int(text) {
                return sink.append(int: value, column: field.column)
            }
        case .double:
            if let decimal = NumberText.decimal(text) {
                return sink.append(double: decimal.value, column: field.column)
            }
        case .bool:
            if let value = ColumnEvidence.bool(text) {
                return sink.append(bool: value, column: field.column)
            }
        default:
            if let seconds = DateText.date(text) {
                return sink.append(date: Timestamp(seconds: seconds), column: field.column)
            }
            if let time = DateText.dateTime(text) {
                return sink.append(date: time, column: field.column)
            }
        }
        try appendByMeaning(table, text, field)
    }

    /// Appends a value of a table with another number format, such as a decimal comma.
    private func append(
        _ table: TableReader, _ text: UnsafeBufferPointer<UInt8>, _ field: Field,
        _ numbers: NumberForm
    ) throws(InputError) {
        var plain: [UInt8] = []
        guard field.base == .int || field.base == .double,
            case .converted = numbers.read(text, into: &plain)
        else { return try appendInferred(table, text, field) }
        let result = plain.withUnsafeBufferPointer { text in
            Result { () throws(InputError) in try appendInferred(table, text, field) }
        }
        try result.get()
    }

    /// Appends a value that an export prints differently.
    @inline(never)
    private func appendByMeaning(
        _ table: TableReader, _ text: UnsafeBufferPointer<UInt8>, _ field: Field
    ) throws(InputError) {
        if FieldText.isNullWord(text) { return try appendNull(table, field) }
        switch field.base {
        case .int:
            guard let value = FieldText.int(text) else { throw table.changedError }
            sink.append(int: value, column: field.column)
        case .double:
            guard let value = FieldText.double(text) else { throw table.changedError }
            sink.append(double: value, column: field.column)
        case .bool:
            guard let value = FieldText.bool(text) else { throw table.changedError }
            sink.append(bool: value, column: field.column)
        default:
            guard let time = FieldText.time(text) else { throw table.changedError }
            sink.append(date: time.value, column: field.column)
        }
    }

    private func appendDeclared(
        _ table: TableReader, _ text: UnsafeBufferPointer<UInt8>, _ field: Field, _ index: Int
    ) throws(InputError) {
        switch DeclaredType.value(of: text, as: field.base, table.rows.format.numbers) {
        case .bool(let value): sink.append(bool: value, column: field.column)
        case .int(let value): sink.append(int: value, column: field.column)
        case .double(let value): sink.append(double: value, column: field.column)
        case .date(let value): sink.append(date: value, column: field.column)
        case .text: sink.append(utf8: text, column: field.column)
        case nil:
            guard FieldText.isNullWord(text) else { throw table.typeError(index, field.base) }
            try appendNull(table, field)
        }
    }

    private func keyError(_ table: TableReader, _ column: Int) -> InputError {
        InputError(
            .missingKey, "an object without a value for its key", name: table.rows.name,
            line: table.rows.rowLine, column: columns[column].name,
            excerpt: table.rows.rowExcerpt,
            remedy: "choose a key that every row has, or none")
    }
}

extension TableReader {
    /// The second reading found a row that differs from the row of the first reading.
    var changedError: InputError { .changed(rows.name, line: rows.rowLine) }
}

extension InputError {
    /// The second reading of an input found something that differs from the first reading.
    package static func changed(_ name: String, line: UInt64) -> InputError {
        InputError(
            .unreadable, "the input changed while it was being read", name: name, line: line,
            remedy: "try again when no process writes to it")
    }
}
