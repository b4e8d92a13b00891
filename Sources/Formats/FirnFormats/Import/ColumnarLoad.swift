import FirnCodec
package import FirnColumnar
package import FirnEngine
import FirnText
import FirnValues

/// Loads the columns of Parquet and Arrow files into a class, column by column.
package struct ColumnarLoad {
    /// A property, and its column in the file; `nil` if the file lacks it.
    private let columns: [Int?]
    private let schema: ClassSchema
    private let name: String

    /// - Returns: `nil` if a column must be converted, so that its rows are read as records.
    package init?(_ reader: any ColumnarReader, _ schema: ClassSchema, name: String) {
        self.schema = schema
        self.name = name
        var columns: [Int?] = []
        for property in schema.properties {
            let index = reader.fields.firstIndex { $0.name == property.name }
            columns.append(index)
            let type = property.type
            guard type.container == .single, type.base != .link, type.base != .any else {
                return nil
            }
            guard let index else { continue }
            guard let (base, width) = ColumnarClasses.scalar(reader.fields[index].type),
                base == type.base, type.base != .int || width == type.integerWidth
            else { return nil }
            switch reader.fields[index].type {
            case .time, .null: return nil
            default: break
            }
        }
        guard Set(columns.compactMap(\.self)).count == reader.fields.count else { return nil }
        self.columns = columns
    }

    /// Loads all rows.
    ///
    /// - Parameter progress: called after each batch with the number of rows; `false` stops the
    ///   load.
    package func load(
        _ reader: any ColumnarReader, into loader: BulkLoader, progress: (UInt64) -> Bool
    ) throws(ImportFailure) {
        var rowCount: UInt64 = 0
        while true {
            let batch: ColumnarBatch
            do {
                guard let next = try reader.next() else { return }
                batch = next
            } catch { throw .input(InputError(error, name: name)) }
            var start = 0
            while start < batch.rowCount {
                let end = min(
                    batch.rowCount, start + step(batch, start, room: min(loader.rowRoom, 1_024)))
                for (property, column) in columns.enumerated() {
                    let builder = loader.columns[property]
                    if let column {
                        try append(batch.columns[column], start..<end, to: builder, property)
                    } else {
                        for _ in start..<end { builder.appendNull() }
                    }
                }
                do { try loader.endRows(end - start) } catch { throw .store(error) }
                start = end
            }
            rowCount += UInt64(batch.rowCount)
            guard progress(rowCount) else {
                throw .input(InputError(.unreadable, "reading was interrupted", name: name))
            }
        }
    }

    /// Returns the number of rows to append: one if texts are large, so that a group respects its
    /// limit.
    private func step(_ batch: ColumnarBatch, _ start: Int, room: Int) -> Int {
        let end = min(batch.rowCount, start + room)
        var byteCount = 0
        for column in batch.columns where column.offsets.count > end {
            byteCount += Int(column.offsets[end] - column.offsets[start])
        }
        return byteCount > 1 << 20 ? 1 : max(1, end - start)
    }

    // MARK: Values

    private func append(
        _ column: ColumnarColumn, _ rows: Range<Int>, to builder: ColumnBuilder, _ property: Int
    ) throws(ImportFailure) {
        switch column.type {
        case .bool:
            each(column, rows, builder) { builder.append(bool: column.ints[$0] != 0) }
        case .int, .duration:
            column.ints.withUnsafeBufferPointer { ints in
                each(column, rows, builder) { builder.append(int: ints[$0]) }
            }
        case .double:
            column.doubles.withUnsafeBufferPointer { doubles in
                each(column, rows, builder) { builder.append(double: doubles[$0]) }
            }
        case .float:
            each(column, rows, builder) { builder.append(float: Float(column.doubles[$0])) }
        case .date:
            each(column, rows, builder) {
                builder.append(date: Timestamp(seconds: column.ints[$0] &* 86_400))
            }
        case .timestamp:
            each(column, rows, builder) { builder.append(date: ColumnarValue.time(column, $0)) }
        case .string, .json:
            withTexts(column) { text in
                each(column, rows, builder) { builder.append(utf8: text($0)) }
            }
        case .binary, .uuid:
            withTexts(column) { text in
                each(column, rows, builder) { builder.append(bytes: text($0)) }
            }
        case .decimal(_, let scale): try appendDecimals(column, rows, builder, scale, property)
        default: preconditionFailure("a column that must be converted")
        }
    }

    @inline(__always)
    private func each(
        _ column: ColumnarColumn, _ rows: Range<Int>, _ builder: ColumnBuilder,
        _ body: (Int) -> Void
    ) {
        if column.validity.isEmpty {
            for row in rows { body(row) }
        } else {
            for row in rows {
                if column.isValid(row) { body(row) } else { builder.appendNull() }
            }
        }
    }

    private func withTexts(
        _ column: ColumnarColumn, _ body: ((Int) -> UnsafeBufferPointer<UInt8>) -> Void
    ) {
        column.bytes.withUnsafeBufferPointer { bytes in
            column.offsets.withUnsafeBufferPointer { offsets in
                body { row in
                    UnsafeBufferPointer(
                        rebasing: bytes[Int(offsets[row])..<Int(offsets[row + 1])])
                }
            }
        }
    }

    private func appendDecimals(
        _ column: ColumnarColumn, _ rows: Range<Int>, _ builder: ColumnBuilder, _ scale: Int,
        _ property: Int
    ) throws(ImportFailure) {
        for row in rows {
            guard column.isValid(row) else {
                builder.appendNull()
                continue
            }
            guard let number = ColumnarValue.number(column.decimals[row], scale) else {
                throw .input(
                    InputError(
                        .value, "a decimal of more than 34 digits", name: name,
                        column: schema.properties[property].name,
                        excerpt: ColumnarValue.decimal(column.decimals[row], scale),
                        remedy: "--type \(schema.properties[property].name)=String accepts it"))
            }
            do { try builder.append(.decimal128(number)) } catch {
                preconditionFailure("a decimal in a column of decimals")
            }
        }
    }
}
