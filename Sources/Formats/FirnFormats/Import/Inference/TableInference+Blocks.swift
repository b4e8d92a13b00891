import FirnPlatform
package import FirnText

extension TableInference: BlockEvidence {
    /// The data that is needed to read a block of the current table.
    package struct Form: Sendable {
        let name: String
        let table: TableForm
        let columns: Columns
    }

    package func copy() -> TableInference { self }

    package mutating func see(
        _ block: TextBlocks.Block, at start: TextPosition, _ form: Form
    ) -> RowPositions.Block? {
        let source = MemorySource(block.bytes, name: form.name)
        var limits = ReadingLimits()
        limits.chunkBytes = block.bytes.count
        let table = try? TableReader(source, continuing: form.table, at: start, limits: limits)
        return table.flatMap { see($0, form.columns, at: start) }
    }

    /// Examines all rows of a block.
    ///
    /// - Returns: `nil` if there is a mistake.
    private mutating func see(
        _ table: TableReader, _ columns: Columns, at start: TextPosition
    ) -> RowPositions.Block? {
        var rows = RowPositions.Block()
        do throws(InputError) {
            while try table.next() {
                rows.append(table.rows.rowOffset, table.rows.rowLine, from: start)
                try see(table, columns)
            }
        } catch { return nil }
        rows.end(at: table.rows.line, from: start)
        return rows
    }

    /// Reads all rows of a further table, on several threads if it is large.
    ///
    /// - Returns: the positions of its rows; `nil` if a part of the table was not read in blocks,
    ///   such as the rest after a mistake.
    package mutating func readRows(
        of table: inout TableBlocks, _ columns: Columns,
        threadCount: Int = Environment.processorCount, _ progress: (UInt64) -> Bool
    ) throws(InputError) -> RowPositions? {
        guard let first = table.first else {
            try readRows(of: table.reader, columns, progress)
            return nil
        }
        var state = self
        let rows = state.see(table.reader, columns, at: .start)
        guard let rows else {
            try readRows(of: table.whole(), columns, progress)
            return nil
        }
        let form = Form(
            name: table.reader.rows.name, table: table.reader.form, columns: columns)
        var positions = RowPositions(.table(form.table), partRowCount: options.partRowCount)
        positions.append(rows, byteCount: first.bytes.count)
        var reading = BlockReading(state, positions, form, threadCount: threadCount)
        let rest = try reading.read(&table.blocks, name: form.name, progress)
        self = reading.evidence
        guard let rest else { return reading.positions }
        let reader = try TableReader(rest, continuing: form.table, at: reading.positions.end)
        try readRows(of: reader, columns, progress)
        return nil
    }
}
