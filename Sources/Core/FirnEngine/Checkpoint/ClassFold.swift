import FirnCodec
import FirnPlatform
import FirnValues
import HashTreeCollections

/// A fold of the changes of one class.
struct ClassFold {
    let table: Table
    let changes: ClassOverlay
    let options: StoreOptions
    var edits = DirectoryEdits()
    /// The groups whose rows were merged into a group with others.
    var merged: Set<RowID> = []
    private(set) var groupDelta: Int64 = 0
    /// The changes to the elements of large collections.
    var largeCollections = CollectionChanges()
    /// The columns on disk of patches that have become columns of row groups.
    private(set) var usedColumns: Set<Extent> = []

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
        var run: SparseRun?
        for first in changes.patches.keys.sorted() where !appended.contains(first) {
            guard let group = try table.directory.group(for: first), group.firstRowID == first
            else {
                throw .corrupt(
                    table.directory.pages.file.path,
                    "a row group of \(table.schema.name) is missing")
            }
            let view = table.view(.stored(group))
            try noteReplacedCollections(view)
            let live = try view.liveRowCount()
            if staysInPlace(group, live, writer),
                let patched = try patchColumns(group, view, &writer)
            {
                edits.replaced[first] = [patched]
                continue
            }
            if let open = run, try !follows(group, open) {
                try close(open, &writer)
                run = nil
            }
            if run == nil { run = try beginRun(before: group, live: live, &writer) }
            guard var open = run else { continue }
            try open.assembler.append(view, &writer)
            open.members.append(first)
            free(group, &writer)
            run = open
        }
        if let run { try close(run, &writer) }
    }

    /// Whether a group gets delete marks instead of being rewritten without its deleted rows.
    private func staysInPlace(_ group: RowGroup, _ live: Int, _ writer: PageWriter) -> Bool {
        live * 2 > group.rowCount || (writer.savesSpace && live > 0)
    }

    /// Writes the groups and rows that are appended after the groups of the root.
    ///
    /// Created rows are merged with the preceding groups as long as those are not much larger. A
    /// thousand small commits then leave a few groups whose sizes halve, and each row is rewritten
    /// only a logarithmic number of times.
    private mutating func append(_ writer: inout PageWriter) throws(StoreError) {
        let assembler = newAssembler()
        if !writer.savesSpace { try absorbLastGroups(into: assembler, &writer) }
        for rows in changes.appended {
            switch rows {
            case .memory(let group):
                try assembler.append(table.view(.memory(group)), &writer)
            case .stored(let group):
                try assembler.flush(&writer)
                edits.appended += assembler.takeGroups()
                let groups =
                    changes.patches[group.firstRowID] == nil ? [group] : try rewrite(group, &writer)
                edits.appended += groups
            }
        }
        try assembler.flush(&writer)
        edits.appended += assembler.takeGroups()
        largeCollections.formUnion(assembler.takeLargeCollections())
    }

    private mutating func absorbLastGroups(
        into assembler: RowGroupAssembler, _ writer: inout PageWriter
    ) throws(StoreError) {
        var rowCount = 0
        var byteCount = 0
        for rows in changes.appended {
            guard case .memory(let group) = rows else { break }
            rowCount += try table.view(rows.source).liveRowCount()
            byteCount += group.rawByteCount
        }
        guard rowCount > 0 else { return }
        var absorbed: [RowGroup] = []
        for group in try table.directory.lastLeaf().reversed() {
            let live = try table.view(.stored(group)).liveRowCount()
            // Groups of long texts are full long before they have many rows: merged they would only
            // be cut at the same rows again, in every commit.
            byteCount += group.columns.reduce(0) { $0 + Int($1.rawByteCount) }
            guard live <= 2 * rowCount, live + rowCount <= options.rowsPerGroup,
                byteCount <= options.bytesPerGroup, !merged.contains(group.firstRowID)
            else { break }
            rowCount += live
            absorbed.append(group)
        }
        for group in absorbed.reversed() {
            // A patched group may have been rewritten a moment ago; that result is discarded.
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
    /// - Returns: The groups that replace it: none if no row is left, several if the rows no longer
    ///   fit into one.
    private mutating func rewrite(
        _ group: RowGroup, _ writer: inout PageWriter
    ) throws(StoreError) -> [RowGroup] {
        let view = table.view(.stored(group))
        try noteReplacedCollections(view)
        let live = try view.liveRowCount()
        guard live > 0 else {
            free(group, &writer)
            return []
        }
        if staysInPlace(group, live, writer), let patched = try patchColumns(group, view, &writer) {
            return [patched]
        }
        let assembler = newAssembler()
        try assembler.append(view, &writer)
        try assembler.flush(&writer)
        largeCollections.formUnion(assembler.takeLargeCollections())
        free(group, &writer)
        return assembler.takeGroups()
    }

    /// Records that the large collections of rows that are deleted or get new values are removed
    /// from the tree.
    private mutating func noteReplacedCollections(_ view: RowGroupView) throws(StoreError) {
        guard let patch = view.patch else { return }
        for property in table.schema.properties where property.type.container != .single {
            for row in try view.outOfLineRows(property)
            where patch.deleted.contains(row) || patch.values[property.id]?[row] != nil {
                largeCollections.noteRemoved(try view.rowID(at: Int(row)), property.id)
            }
        }
    }

    /// Writes only the columns that changed, and the delete marks.
    ///
    /// - Returns: `nil` if a column grew past the limit of a group.
    private mutating func patchColumns(
        _ group: RowGroup, _ view: RowGroupView, _ writer: inout PageWriter
    ) throws(StoreError) -> RowGroup? {
        let properties = table.schema.properties.filter { view.patch?.changes($0.id) == true }
        var parts: [EncodedPart] = []
        var written: [StoredColumn] = []
        var large = CollectionChanges()
        for property in properties {
            if let column = writtenColumn(property, view) {
                written.append(column)
            } else if let more = try encodedIfFits(property, view, &large) {
                parts += more
            } else {
                return nil
            }
        }
        let rawByteCount =
            written.reduce(0) { $0 + Int($1.rawByteCount) }
            + parts.reduce(0) { $0 + $1.rawByteCount }
        guard rawByteCount <= 2 * options.bytesPerGroup else { return nil }
        usedColumns.formUnion(written.map(\.reference.extent))
        largeCollections.formUnion(large)
        let references = try writer.write(parts.map(\.page))
        // Columns of removed properties are dropped at the first reason to write the group.
        let kept = Set(table.schema.properties.map(\.id)).subtracting(properties.map(\.id))
        var columns: [StoredColumn] = []
        for column in group.columns {
            if kept.contains(column.property) {
                columns.append(column)
            } else {
                writer.space.free(column.reference.extent)
            }
        }
        columns += written
        columns += zip(parts, references).map { part, reference in part.stored(at: reference) }
        columns.sort { ($0.property, $0.part) < ($1.property, $1.part) }
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

    /// Returns the column that the transaction has written already, if nothing changed it since.
    private func writtenColumn(_ property: PropertySchema, _ view: RowGroupView) -> StoredColumn? {
        guard let patch = view.patch, patch.values[property.id]?.isEmpty ?? true,
            patch.edited[property.id] == nil
        else { return nil }
        return patch.columns[property.id]?.stored
    }

    /// Returns the parts of a column that the patch changes, or `nil` if no page holds them.
    private func encodedIfFits(
        _ property: PropertySchema, _ view: RowGroupView, _ large: inout CollectionChanges
    ) throws(StoreError) -> [EncodedPart]? {
        do throws(StoreError) {
            return try encoded(property, view, &large)
        } catch {
            guard error.code == .limitExceeded else { throw error }
            return nil
        }
    }

    /// Returns the parts of a column that the patch changes.
    private func encoded(
        _ property: PropertySchema, _ view: RowGroupView, _ large: inout CollectionChanges
    ) throws(StoreError) -> [EncodedPart] {
        guard property.type.container != .single else {
            let column = try view.encodedColumn(property, level: options.compression)
            return [
                EncodedPart(
                    property: property.id, part: .values, page: column.page,
                    rawByteCount: column.rawByteCount)
            ]
        }
        let column = try view.collection(property)
        let builder = CollectionBuilder(property)
        for row in 0..<column.rowCount {
            let isDeleted = try !view.isLive(row)
            guard !isDeleted else {
                builder.endRow()
                continue
            }
            switch try large.note(
                column, row, rowID: { () throws(StoreError) in try view.rowID(at: row) })
            {
            case .inline: builder.append(column, row: row)
            case .outOfLine: builder.appendOutOfLine()
            case .returned(let value):
                try view.pages.coding(builder.append(value))
            }
        }
        return try view.pages.coding(builder.encode(options.compression))
    }

    func newAssembler() -> RowGroupAssembler {
        RowGroupAssembler(
            schema: table.schema, options: options, path: table.directory.pages.file.path)
    }

    func free(_ group: RowGroup, _ writer: inout PageWriter) {
        for extent in group.extents { writer.space.free(extent) }
    }

    /// Releases the extents of a rewritten group, and frees those that it shared with the old
    /// group.
    ///
    /// Columns that the transaction had written stay until the end of the fold: the rows are still
    /// read from them.
    private mutating func giveBack(
        _ rewritten: RowGroup, instead group: RowGroup, _ writer: inout PageWriter
    ) {
        let old = Set(group.extents)
        for extent in rewritten.extents {
            if old.contains(extent) {
                writer.space.free(extent)
            } else if usedColumns.remove(extent) == nil {
                writer.space.giveBack(extent)
            }
        }
    }
}
