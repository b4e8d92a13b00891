package import FirnEngine
package import FirnText
import FirnValues

/// The conversion of JSON objects that have only numbers, texts, dates and truth values.
///
/// The first reading has found that each value has a meaning in the type of its property; the second
/// finds another value only if the input has changed.
package struct ObjectPartConversion: PartConversion {
    private struct Column {
        let base: ValueTag
        let mayBeNull: Bool
    }

    private let columns: [Column]
    private let indices: TextMap<Int>

    /// - Returns: `nil` if a property of the class has another type.
    package init?(_ schema: ClassSchema) {
        let kinds: Set<ValueTag> = [.bool, .int, .double, .string, .date]
        guard
            schema.properties.allSatisfy({
                $0.type.container == .single && kinds.contains($0.type.base)
                    && $0.type.integerWidth == .bits64
            })
        else { return nil }
        columns = schema.properties.map {
            Column(base: $0.type.base, mayBeNull: $0.type.isOptional)
        }
        let names = schema.properties.enumerated().map { ($1.name, $0) }
        indices = TextMap(names) { first, _ in first }
    }

    package func load(
        _ source: MemorySource, at start: TextPosition, into target: any BulkRowTarget,
        progress: (UInt64) -> Bool
    ) throws(ImportFailure) -> UInt64 {
        var limits = JSONLimits()
        limits.chunkBytes = source.byteCount
        let records = JSONRecords(source, continuingAt: start, limits: limits)
        var rows = Rows(columnCount: columns.count, sink: BulkSink(target))
        while true {
            do throws(InputError) {
                if try records.nextFlat() {
                    guard append(records.flat, to: &rows) else { throw changed(records) }
                } else {
                    guard let item = try records.next() else { break }
                    guard case .record(let record) = item, append(record, to: &rows) else {
                        throw changed(records)
                    }
                }
                guard endRow(&rows) else { throw changed(records) }
            } catch { throw .input(error) }
            do { try rows.sink.endRow() } catch { throw .store(error) }
            if rows.number & 0xFFF == 0, !progress(records.bytesRead) {
                throw .input(.interrupted(records.name, line: records.line))
            }
        }
        return rows.number
    }

    private func changed(_ records: JSONRecords) -> InputError {
        .changed(records.name, line: records.line)
    }

    // MARK: Objects

    /// The rows that are being appended.
    private struct Rows {
        let sink: BulkSink
        /// The number of complete rows.
        var number: UInt64 = 0
        /// Per column, the number of the last row, counted from 1, that has a value.
        var givenIn: [UInt64]
        /// The number of columns of the row that have a value.
        var givenCount = 0
        /// The fields of the last object in their order, which the next one usually shares.
        var shape: [(name: [UInt8], column: Int)] = []

        init(columnCount: Int, sink: BulkSink) {
            self.sink = sink
            givenIn = Array(repeating: 0, count: columnCount)
        }

        /// Records that a column has a value.
        ///
        /// - Returns: `false` if it had one already.
        @inline(__always)
        mutating func give(_ column: Int) -> Bool {
            guard givenIn[column] != number &+ 1 else { return false }
            givenIn[column] = number &+ 1
            givenCount &+= 1
            return true
        }
    }

    /// Appends the values of an object.
    ///
    /// - Returns: `false` if the first reading cannot have found it.
    private func append(_ object: FlatObject, to rows: inout Rows) -> Bool {
        for (position, member) in object.members.enumerated() {
            guard let column = column(member.name, at: position, &rows), rows.give(column),
                append(member.kind, member.text, column, rows.sink)
            else { return false }
        }
        return true
    }

    private func append(_ record: ImportRecord, to rows: inout Rows) -> Bool {
        for field in record.fields {
            guard let column = indices[field.name], rows.give(column),
                append(field.value, column, rows.sink)
            else { return false }
        }
        return true
    }

    /// Appends null to the columns without a value.
    private func endRow(_ rows: inout Rows) -> Bool {
        rows.number &+= 1
        defer { rows.givenCount = 0 }
        guard rows.givenCount < columns.count else { return true }
        for column in columns.indices where rows.givenIn[column] != rows.number {
            guard columns[column].mayBeNull else { return false }
            rows.sink.appendNull(column: column)
        }
        return true
    }

    @inline(__always)
    private func column(
        _ name: UnsafeBufferPointer<UInt8>, at position: Int, _ rows: inout Rows
    ) -> Int? {
        if position < rows.shape.count,
            rows.shape[position].name.withUnsafeBufferPointer({ FlatObject.equals(name, $0) })
        {
            return rows.shape[position].column
        }
        guard let found = indices[String(decoding: name, as: UTF8.self)] else { return nil }
        if position < rows.shape.count {
            rows.shape[position] = (Array(name), found)
        } else if position == rows.shape.count {
            rows.shape.append((Array(name), found))
        }
        return found
    }

    // MARK: Values

    private func append(_ tree: JSONTree, _ column: Int, _ sink: BulkSink) -> Bool {
        var (kind, text): (FlatObject.Kind, String)
        switch tree.content {
        case .null: (kind, text) = (.null, "")
        case .bool(let value): (kind, text) = (.bool, value ? "true" : "false")
        case .number(let number): (kind, text) = (.number, number)
        case .string(let string): (kind, text) = (.string, string)
        case .array, .object: return false
        }
        return text.withUTF8 { append(kind, $0, column, sink) }
    }

    @inline(__always)
    private func append(
        _ kind: FlatObject.Kind, _ text: UnsafeBufferPointer<UInt8>, _ column: Int,
        _ sink: BulkSink
    ) -> Bool {
        switch (kind, columns[column].base) {
        case (.null, _):
            guard columns[column].mayBeNull else { return false }
            sink.appendNull(column: column)
        case (.bool, .bool): sink.append(bool: text.count == 4, column: column)
        case (.number, .int):
            guard let value = NumberText.int(text) else { return false }
            sink.append(int: value, column: column)
        case (.number, .double):
            guard let value = double(text) else { return false }
            sink.append(double: value, column: column)
        case (.string, .string): sink.append(utf8: text, column: column)
        case (.string, .date):
            guard let value = date(text) else { return false }
            sink.append(date: value, column: column)
        default: return false
        }
        return true
    }

    @inline(__always)
    private func double(_ text: UnsafeBufferPointer<UInt8>) -> Double? {
        if let decimal = NumberText.decimal(text) { return decimal.value }
        guard let value = Double(String(decoding: text, as: UTF8.self)), value.isFinite else {
            return nil
        }
        return value
    }

    @inline(__always)
    private func date(_ text: UnsafeBufferPointer<UInt8>) -> Timestamp? {
        if let seconds = DateText.date(text) { return Timestamp(seconds: seconds) }
        return DateText.dateTime(text) ?? Timestamp.parse(text)?.timestamp
    }
}
