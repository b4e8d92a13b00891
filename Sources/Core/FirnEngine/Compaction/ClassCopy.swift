import FirnCodec
import FirnPlatform
import FirnValues

/// A copy of the objects of one class into another database.
struct ClassCopy {
    let table: Table
    let target: Store

    private var schema: ClassSchema { table.schema }

    /// Writes rows, directory and trees.
    ///
    /// - Parameter advance: Receives the number of bytes read since the last call; returns whether
    ///   to continue.
    /// - Returns: The class as in the catalog of the target; `nil` if the copy was cancelled.
    func write(
        _ writer: inout PageWriter, _ advance: (UInt64) -> Bool
    ) throws(StoreError) -> ClassRecord? {
        let assembler = RowGroupAssembler(
            schema: schema, options: target.options, path: target.path)
        var collections = CollectionCopy(table)
        var liveRowCount: UInt64 = 0
        for view in try table.rowGroups() {
            try assembler.append(view, &writer)
            try collections.append(view, assembler.takeLargeCollections(), &writer)
            liveRowCount += UInt64(try view.liveRowCount())
            guard advance(view.byteCount) else { return nil }
        }
        try assembler.flush(&writer)
        var record = table.record
        record.nextRowID = table.overlay?.nextRowID ?? record.nextRowID
        let groups = assembler.takeGroups()
        var edits = DirectoryEdits()
        edits.appended = groups
        var rewriter = DirectoryRewriter(
            Directory(root: nil, schema: schema, pages: table.directory.pages), edits)
        record.directory = try rewriter.rewrite(&writer)
        record.groupCount = UInt64(groups.count)
        record.liveRowCount = liveRowCount
        // Every group has a column of every property now.
        record.defaultValues = [:]
        record.collectionTrees = try collections.finish(&writer)
        let indexes = IndexCopy(table: table, target: target)
        record.keyIndex = try indexes.keyIndex(&writer)
        record.linkIndexes = try indexes.linkIndexes(&writer)
        record.indexTrees = try indexes.indexTrees(&writer)
        guard advance(try treeByteCount()) else { return nil }
        return record
    }

    private func treeByteCount() throws(StoreError) -> UInt64 {
        var sum: UInt64 = 0
        for slot in table.record.treeSlots { sum &+= try table.tree(slot).storedByteCount() }
        return sum
    }
}
