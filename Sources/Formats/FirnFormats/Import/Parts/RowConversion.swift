package import FirnEngine
package import FirnText

/// The conversion of a part of an input to rows of a class.
package protocol PartConversion: Sendable {
    /// Loads all rows of a part.
    ///
    /// - Parameters:
    ///   - source: the bytes of the part.
    ///   - start: the position of the part in the input.
    ///   - progress: called periodically with the number of bytes of the input before the next row;
    ///     `false` stops reading with an error.
    /// - Returns: the number of rows.
    func load(
        _ source: MemorySource, at start: TextPosition, into target: any BulkRowTarget,
        progress: (UInt64) -> Bool
    ) throws(ImportFailure) -> UInt64
}

/// The conversion of the rows of a table.
package struct RowConversion: Sendable {
    let columns: [ColumnDecision]
    /// The index of the primary key, if it must not be null.
    let key: Int?
    /// A text that means null in every column.
    let nullText: String?

    package init(columns: [ColumnDecision], key: Int?, nullText: String?) {
        self.columns = columns
        self.key = key
        self.nullText = nullText
    }

    /// Loads all rows of a table.
    ///
    /// - Parameter progress: called periodically with the number of bytes read; `false` stops
    ///   reading with an error.
    /// - Returns: the number of rows.
    package func load(
        _ table: TableReader, into target: any BulkRowTarget, progress: (UInt64) -> Bool
    ) throws(ImportFailure) -> UInt64 {
        let loader = TableLoader(
            columns: columns, key: key, nullText: nullText, into: BulkSink(target))
        return try loader.load(table, progress: progress)
    }
}

/// The conversion of parts of a table.
package struct TablePartConversion: PartConversion {
    let rows: RowConversion
    let form: TableForm

    package init(rows: RowConversion, form: TableForm) {
        self.rows = rows
        self.form = form
    }

    package func load(
        _ source: MemorySource, at start: TextPosition, into target: any BulkRowTarget,
        progress: (UInt64) -> Bool
    ) throws(ImportFailure) -> UInt64 {
        var limits = ReadingLimits()
        limits.chunkBytes = source.byteCount
        let table: TableReader
        do {
            table = try TableReader(source, continuing: form, at: start, limits: limits)
        } catch { throw .input(error) }
        return try rows.load(table, into: target, progress: progress)
    }
}
