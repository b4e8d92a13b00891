import FirnCodec
import FirnPlatform
import FirnValues
import HashTreeCollections

/// Folds the changes of one class.
struct ClassFold {
    let table: Table
    let changes: ClassOverlay
    let options: StoreOptions
    private var edits = DirectoryEdits()
    private(set) var groupDelta: Int64 = 0

    init(table: Table, changes: ClassOverlay, options: StoreOptions) {
        self.table = table
        self.changes = changes
        self.options = options
    }

    mutating func write(_ writer: inout PageWriter) throws(StoreError) -> DirectoryRoot? {
        try rewritePatchedGroups(&writer)
        try append(&writer)
        guard !edits.isEmpty else { return table.directory.root }
        groupDelta =
            Int64(edits.appended.count)
            + edits.replaced.values.reduce(0) { $0 + Int64($1.count) - 1 }
        var rewriter = DirectoryRewriter(table.directory, edits)
        return try rewriter.rewrite(&writer)
    }

    /// Rewrites the groups of the root that have a patch; appended groups come later.
    private mutating func rewritePatchedGroups(_ writer: inout PageWriter) throws(StoreError) {
        let appended = Set(changes.appended.map(\.firstRowID))
        for first in changes.patches.keys.sorted() where !appended.contains(first) {
            guard let group = try table.directory.group(for: first), group.firstRowID == first
            else {
                throw .corrupt(
                    table.directory.pages.file.path,
                    "a row group of \(table.schema.name) is missing")
            }
            edits.replaced[first] = try rewrite(group, &writer)
        }
    }

    /// Writes what is appended behind the groups of the root.
    ///
    /// Created rows join the groups before them as long as those are not much larger, so that a
    /// thousand small commits leave a few groups whose sizes halve, and each row is written again
    /// only a logarithmic number of times.
    private mutating func append(_ writer: inout PageWriter) throws(StoreError) {
        let assembler = newAssembler()
        try absorbLastGroups(into: assembler, &writer)
        for rows in changes.appended {
            switch rows {
            case .memory(let group):
                try assembler.append(table.view(.memory(group)), &writer)
            case .stored(let group):
                try assembler.flush(&writer)
                edits.appended += assembler.takeGroups()
                edits.appended +=
                    changes.patches[group.firstRowID] == nil ? [group] : try rewrite(group, &writer)
            }
        }
        try assembler.flush(&writer)
        edits.appended += assembler.takeGroups()
    }

    private mutating func absorbLastGroups(
        into assembler: RowGroupAssembler, _ writer: inout PageWriter
    ) throws(StoreError) {
        var rowCount = 0
        var byteCount = 0
        for rows in changes.appended {
            guard case .memory(let group) = rows else { break }
            rowCount += try table.view(rows.source).liveRowCount()
            byteCount += group.columns.values.reduce(0) { $0 + $1.memoryByteCount }
        }
        guard rowCount > 0 else { return }
        var absorbed: [RowGroup] = []
        for group in try table.directory.lastLeaf().reversed() {
            let live = try table.view(.stored(group)).liveRowCount()
            // Groups of long texts are full long before they have many rows: joined they would
            // only be cut in the same places again, in every commit.
            byteCount += group.columns.reduce(0) { $0 + Int($1.rawByteCount) }
            guard live <= 2 * rowCount, live + rowCount <= options.rowsPerGroup,
                byteCount <= options.bytesPerGroup
            else { break }
            rowCount += live
            absorbed.append(group)
        }
        for group in absorbed.reversed() {
            // A patched group may have been rewritten a moment ago: that work is not used.
            for rewritten in edits.replaced[group.firstRowID] ?? [] {
                giveBack(rewritten, instead: group, &writer)
            }
            if edits.replaced[group.firstRowID] == nil { free(group, &writer) }
            edits.replaced[group.firstRowID] = []
            try assembler.append(table.view(.stored(group)), &writer)
        }
    }

    /// Applies the patch of a group.
    ///
    /// - Returns: the groups that take its place: none if no row is left, several if the rows do
    ///   not fit into one any more.
    private func rewrite(
        _ group: RowGroup, _ writer: inout PageWriter
    ) throws(StoreError) -> [RowGroup] {
        let view = table.view(.stored(group))
        let live = try view.liveRowCount()
        guard live > 0 else {
            free(group, &writer)
            return []
        }
        if live * 2 > group.rowCount, let patched = try patchColumns(group, view, &writer) {
            return [patched]
        }
        let assembler = newAssembler()
        try assembler.append(view, &writer)
        try assembler.flush(&writer)
        free(group, &writer)
        return assembler.takeGroups()
    }

    /// Writes only the columns that changed, and the delete marks.
    ///
    /// - Returns: `nil` if a column grew past the limit of a group.
    private func patchColumns(
        _ group: RowGroup, _ view: RowGroupView, _ writer: inout PageWriter
    ) throws(StoreError) -> RowGroup? {
        let properties = table.schema.properties.filter { view.patch?.values[$0.id] != nil }
        let encoded = try properties.map { property throws(StoreError) in
            try view.encodedColumn(property, level: options.compression)
        }
        guard encoded.reduce(0, { $0 + $1.rawByteCount }) <= 2 * options.bytesPerGroup else {
            return nil
        }
        let references = try writer.write(encoded.map(\.page))
        var columns = group.columns
        for (property, (column, reference)) in zip(properties, zip(encoded, references)) {
            if let old = columns.firstIndex(where: { $0.property == property.id }) {
                writer.space.free(columns.remove(at: old).reference.extent)
            }
            columns.append(
                StoredColumn(
                    property: property.id, reference: reference, zone: column.page.zone,
                    encoding: column.page.encoding,
                    rawByteCount: UInt32(clamping: column.rawByteCount)))
        }
        columns.sort { $0.property < $1.property }
        var deleted = group.deleted
        var deletedCount = group.deletedCount
        if let patch = view.patch, !patch.deleted.isEmpty, var mask = try view.liveRows() {
            if let old = group.deleted { writer.space.free(old.extent) }
            mask.invert()
            deleted = try writer.write(blob: mask.storedBytes)
            deletedCount = mask.population
        }
        return RowGroup(
            firstRowID: group.firstRowID, rowCount: group.rowCount, rowIDs: group.rowIDs,
            deletedCount: deletedCount, deleted: deleted, columns: columns)
    }

    private func newAssembler() -> RowGroupAssembler {
        RowGroupAssembler(
            schema: table.schema, options: options, path: table.directory.pages.file.path)
    }

    private func free(_ group: RowGroup, _ writer: inout PageWriter) {
        for extent in group.extents { writer.space.free(extent) }
    }

    /// Takes back the extents of a rewritten group, and frees those that it still shared.
    private func giveBack(
        _ rewritten: RowGroup, instead group: RowGroup, _ writer: inout PageWriter
    ) {
        let old = Set(group.extents)
        for extent in rewritten.extents {
            if old.contains(extent) {
                writer.space.free(extent)
            } else {
                writer.space.giveBack(extent)
            }
        }
    }
}
