import FirnCodec
import FirnPlatform
import FirnValues

/// The assembler that collects rows column by column and builds row groups.
///
/// Bulk loads, folding and compaction all build their row groups here.
final class RowGroupAssembler {
    let schema: ClassSchema
    /// One builder per property, in the order of the schema.
    let builders: [PropertyBuilder]
    private(set) var groups: [RowGroup] = []
    /// The changes to collections that are not stored in the groups, or no longer are.
    private(set) var largeCollections = CollectionChanges()
    private let rowsPerGroup: Int
    private let bytesPerGroup: Int
    let level: CompressionLevel
    private let path: String
    let threadCount: Int
    /// The builders whose values have no fixed size.
    private let textBuilders: [PropertyBuilder]
    private let collectionBuilders: [CollectionBuilder]
    /// The number of rows that are not yet in a group.
    private(set) var rowCount = 0
    /// The ids of the collected rows, once they are not `firstRowID`, `firstRowID + 1`, ...
    private var rowIDs: [RowID] = []
    private var firstRowID = RowID(0)
    private var isDense = true

    /// - Parameter threadCount: The number of threads that encode the columns of a group.
    init(
        schema: ClassSchema, options: StoreOptions, path: String,
        threadCount: Int = Environment.processorCount
    ) {
        self.threadCount = threadCount
        self.schema = schema
        self.path = path
        rowsPerGroup = options.rowsPerGroup
        bytesPerGroup = options.bytesPerGroup
        level = options.compression
        builders = schema.properties.map { PropertyBuilder($0) }
        textBuilders = builders.filter { !$0.hasFixedSize }
        collectionBuilders = builders.compactMap(\.collection)
    }

    /// Ends a row whose values were appended to ``builders``, one to each.
    ///
    /// - Parameter row: A row id greater than those of all rows before.
    /// - Returns: Whether the rows fill a group, to be written by ``flush(_:)``.
    func endRow(_ row: RowID) -> Bool {
        note(row)
        return rowCount >= rowsPerGroup || pendingByteCount > bytesPerGroup
    }

    /// Ends consecutive rows whose values were appended to ``builders`` column by column.
    ///
    /// - Parameters:
    ///   - first: A row id greater than those of all rows before.
    ///   - count: At least 1, and at most ``rowRoom``.
    /// - Returns: As ``endRow(_:)``.
    func endRows(from first: RowID, count: Int) -> Bool {
        for index in 0..<UInt64(count) { note(RowID(first.rawValue &+ index)) }
        return rowCount >= rowsPerGroup || pendingByteCount > bytesPerGroup
    }

    /// The number of rows until the group is full, if there is enough room for its texts.
    var rowRoom: Int { rowsPerGroup - rowCount }

    /// Appends empty collections to ended rows that have none.
    func endCollections() {
        for builder in collectionBuilders {
            while builder.count < rowCount { builder.endRow() }
        }
    }

    /// Appends the existing rows of a group.
    func append(_ view: RowGroupView, _ sink: inout some RowGroupSink) throws(StoreError) {
        let rows = try view.existingRows()
        // If values may be large, only a few rows are appended at a time to respect the byte limit.
        let columns = try schema.properties.map { property throws(StoreError) in
            try PropertyColumn(property, of: view)
        }
        let averageByteCount = columns.reduce(0) { $0 + $1.memoryByteCount } / max(1, view.rowCount)
        let step = max(1, min(1024, bytesPerGroup / 16 / max(1, averageByteCount)))
        var start = 0
        while start < rows.count {
            let end = min(rows.count, start + min(step, rowsPerGroup - rowCount))
            for (builder, column) in zip(builders, columns) {
                switch (builder, column) {
                case (.single(let builder), _):
                    try view.pages.coding(column.append(rows[start..<end], to: builder))
                case (.collection(let builder), .collection(let column)):
                    for row in rows[start..<end] {
                        try append(column, Int(row), of: view, to: builder)
                    }
                default: preconditionFailure("a builder and its column are of one property")
                }
            }
            try note(rows[start..<end - 1], of: view)
            if endRow(try view.rowID(at: Int(rows[end - 1]))) { try flush(&sink) }
            start = end
        }
    }

    /// Appends one collection: inline, or only a marker if it is large.
    private func append(
        _ column: CollectionColumn, _ row: Int, of view: RowGroupView,
        to builder: CollectionBuilder
    ) throws(StoreError) {
        let change = try largeCollections.note(
            column, row, rowID: { () throws(StoreError) in try view.rowID(at: row) })
        switch change {
        case .inline: builder.append(column, row: row)
        case .outOfLine: builder.appendOutOfLine()
        case .returned(let value):
            try view.pages.coding(builder.append(value))
        }
    }

    /// Counts rows of a group without checking limits.
    private func note(
        _ rows: ArraySlice<UInt32>, of view: RowGroupView
    ) throws(StoreError) {
        guard let first = rows.first, let last = rows.last else { return }
        let (low, high) = (try view.rowID(at: Int(first)), try view.rowID(at: Int(last)))
        // Row ids ascend, so a range that contains as many ids as numbers has no gap.
        let isRun = high.rawValue &- low.rawValue == UInt64(rows.count - 1)
        if isRun, isDense, low.rawValue == firstRowID.rawValue &+ UInt64(rowCount) || rowCount == 0
        {
            if rowCount == 0 { firstRowID = low }
            rowCount += rows.count
            return
        }
        for row in rows { note(try view.rowID(at: Int(row))) }
    }

    /// Counts a row without checking limits.
    private func note(_ row: RowID) {
        if rowCount == 0 { firstRowID = row }
        if isDense, row.rawValue != firstRowID.rawValue &+ UInt64(rowCount) {
            rowIDs = (0..<rowCount).map { RowID(firstRowID.rawValue &+ UInt64($0)) }
            isDense = false
        }
        if !isDense { rowIDs.append(row) }
        rowCount += 1
    }

    /// The size counts 8 bytes for every value and more for text, so that even a class of ten
    /// thousand numeric properties fills a group.
    var pendingByteCount: Int {
        textBuilders.reduce(rowCount * 8 * (builders.count - textBuilders.count)) {
            $0 + $1.byteCount
        }
    }

    /// Returns the groups written since the last call.
    func takeGroups() -> [RowGroup] {
        defer { groups = [] }
        return groups
    }

    /// Returns the changes to large collections since the last call.
    func takeLargeCollections() -> CollectionChanges {
        defer { largeCollections = CollectionChanges() }
        return largeCollections
    }

    /// Writes the collected rows as a group.
    func flush(_ sink: inout some RowGroupSink) throws(StoreError) {
        guard rowCount > 0 else { return }
        // Columns of different lengths would be committed as damage.
        guard builders.allSatisfy({ $0.count == rowCount }) else {
            throw StoreError(
                .missingValue, path: path,
                detail: "a record of \(schema.name) has not one value for every property")
        }
        try checkRequired()
        let parts: [EncodedPart]
        var rowIDs: EncodedPage?
        do throws(CodecError) {
            parts = try encodedParts()
            if !isDense { rowIDs = try encodedRowIDs() }
        } catch {
            throw StoreError(
                .limitExceeded, path: path, detail: "a row group of \(schema.name): \(error.reason)"
            )
        }
        let group = EncodedRowGroup(
            firstRowID: firstRowID, rowCount: rowCount, parts: parts, rowIDs: rowIDs)
        if let written = try sink.take(group) { groups.append(written) }
        removeAll()
    }

    /// Drops the collected rows.
    func removeAll() {
        for builder in builders { builder.removeAll() }
        rowCount = 0
        rowIDs = []
        isDense = true
    }

    /// Adds groups that another assembler encoded, whose rows are after all others.
    func append(
        _ encoded: [EncodedRowGroup], _ writer: inout PageWriter
    ) throws(StoreError) {
        try flush(&writer)
        for group in encoded { groups.append(try group.write(&writer)) }
    }

    /// Checks that properties that are not optional have a value in every row.
    private func checkRequired() throws(StoreError) {
        for (property, builder) in zip(schema.properties, builders) {
            guard case .single(let builder) = builder, !property.type.mayBeNull,
                builder.nullCount > 0, let row = builder.firstNullRow
            else { continue }
            let id = isDense ? firstRowID.rawValue &+ UInt64(row) : rowIDs[row].rawValue
            throw StoreError(
                .missingValue, path: path,
                detail: "property \(property.name) of \(schema.name) must have a value, the object "
                    + "with @id \(id) has none")
        }
    }

    private func encodedRowIDs() throws(CodecError) -> EncodedPage {
        let builder = ColumnBuilder(kind: .int)
        for row in rowIDs {
            builder.append(int: Int64(truncatingIfNeeded: row.rawValue &- firstRowID.rawValue))
        }
        return try builder.encode(level)
    }
}
