package import FirnEngine
import FirnValues

/// The reason why an import was not completed.
package enum ImportFailure: Error, Sendable {
    case input(InputError)
    case store(StoreError)
}

/// The data about a column that the loader needs, without reference counting.
private struct LoadStep {
    let base: ValueTag
    let isOptional: Bool
    let isDeclared: Bool

    init(_ column: ColumnDecision) {
        base = column.type.base
        isOptional = column.type.isOptional
        isDeclared = column.isDeclared
    }
}

/// Reads an input for the second time and passes its values to the store.
package enum TableLoader {
    /// - Parameters:
    ///   - columns: the result of type inference for this input.
    ///   - key: the index of the primary key, if it must not be null.
    ///   - progress: called periodically with the number of bytes read; `false` stops reading with
    ///     an error.
    /// - Returns: the number of rows.
    package static func run<Sink: RowSink>(
        _ table: TableReader, columns: [ColumnDecision], key: Int?, into sink: Sink,
        progress: (UInt64) -> Bool = { _ in true }
    ) throws(ImportFailure) -> UInt64 {
        let steps = columns.map(LoadStep.init)
        var rowCount: UInt64 = 0
        while true {
            do {
                guard try table.next() else { return rowCount }
                try append(table, steps, key, sink)
            } catch { throw .input(error) }
            do { try sink.endRow() } catch { throw .store(error) }
            rowCount += 1
            if rowCount & 0x3FFF == 0, !progress(table.bytesRead) {
                throw .input(table.endedError)
            }
        }
    }

    @inline(__always)
    private static func append<Sink: RowSink>(
        _ table: TableReader, _ columns: [LoadStep], _ key: Int?, _ sink: Sink
    ) throws(InputError) {
        let row = table.row
        guard row.count == columns.count else { throw changedError(table) }
        for index in columns.indices {
            if row.isNull(index) {
                if index == key { throw keyError(table, index) }
                guard columns[index].isOptional else { throw changedError(table) }
                sink.appendNull(column: index)
            } else if columns[index].base == .string {
                sink.append(utf8: row.text(index), column: index)
            } else if columns[index].isDeclared {
                try appendDeclared(table, row, columns[index], index, sink)
            } else {
                try appendInferred(table, row, columns[index], index, sink)
            }
        }
    }

    @inline(__always)
    private static func appendInferred<Sink: RowSink>(
        _ table: TableReader, _ row: RowView, _ column: LoadStep, _ index: Int, _ sink: Sink
    ) throws(InputError) {
        let text = row.text(index)
        switch column.base {
        case .int:
            guard let value = NumberText.int(text) else { throw changedError(table) }
            sink.append(int: value, column: index)
        case .double:
            guard let decimal = NumberText.decimal(text) else { throw changedError(table) }
            sink.append(double: decimal.value, column: index)
        case .bool:
            guard let value = ColumnEvidence.bool(text) else { throw changedError(table) }
            sink.append(bool: value, column: index)
        default:
            guard let value = date(text) else { throw changedError(table) }
            sink.append(date: value, column: index)
        }
    }

    private static func date(_ text: UnsafeBufferPointer<UInt8>) -> Timestamp? {
        if let seconds = DateText.date(text) { return Timestamp(seconds: seconds) }
        return DateText.dateTime(text)
    }

    private static func appendDeclared<Sink: RowSink>(
        _ table: TableReader, _ row: RowView, _ column: LoadStep, _ index: Int, _ sink: Sink
    ) throws(InputError) {
        let text = row.text(index)
        switch DeclaredType.value(of: text, as: column.base) {
        case .bool(let value): sink.append(bool: value, column: index)
        case .int(let value): sink.append(int: value, column: index)
        case .double(let value): sink.append(double: value, column: index)
        case .date(let value): sink.append(date: value, column: index)
        case .text: sink.append(utf8: text, column: index)
        case nil: throw table.typeError(index, column.base)
        }
    }

    private static func keyError(_ table: TableReader, _ index: Int) -> InputError {
        InputError(
            .missingKey, "an object without a value for its key", name: table.rows.name,
            line: table.rows.rowLine, column: table.columnNames[index],
            excerpt: table.rows.rowExcerpt,
            remedy: "choose a key that every row has, or none")
    }

    /// The error that the second reading found another value than the first.
    private static func changedError(_ table: TableReader) -> InputError {
        InputError(
            .unreadable, "the input changed while it was being read", name: table.rows.name,
            line: table.rows.rowLine, remedy: "try again when no process writes to it")
    }
}
