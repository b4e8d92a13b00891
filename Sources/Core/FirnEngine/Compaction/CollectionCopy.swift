import FirnCodec
import FirnPlatform
import FirnValues

/// A writer that stores the elements of the large collections of a class, which arrive row by row,
/// as trees.
struct CollectionCopy {
    private let table: Table
    private var builders: [PropertyID: TreeBuilder] = [:]

    init(_ table: Table) {
        self.table = table
        for property in table.schema.properties where property.type.container != .single {
            builders[property.id] = TreeBuilder(
                name: TreeSlot.collections(property.id).name(in: table.schema))
        }
    }

    /// Adds the large collections of a row group whose rows were written.
    ///
    /// - Parameter changes: The collections whose storage location changes.
    mutating func append(
        _ view: RowGroupView, _ changes: CollectionChanges, _ writer: inout PageWriter
    ) throws(StoreError) {
        for property in table.schema.properties where builders[property.id] != nil {
            let changed = changes.changes[property.id] ?? [:]
            let stored = try view.outOfLineRows(property)
            guard !changed.isEmpty || !stored.isEmpty || view.patch?.edited[property.id] != nil
            else { continue }
            let column = try view.collection(property)
            let live = try view.liveRows()
            for row in 0..<view.rowCount where live.map({ $0[row] }) ?? true {
                try append(
                    column, row, changed[try view.rowID(at: row)], try view.rowID(at: row),
                    &writer)
            }
        }
    }

    private mutating func append(
        _ column: CollectionColumn, _ row: Int, _ change: CollectionChanges.Change?,
        _ rowID: RowID, _ writer: inout PageWriter
    ) throws(StoreError) {
        switch change {
        case .removed?: return
        case .moved(let column, let index)?:
            for entry in try column.value(at: index).collectionEntries {
                try append(entry, rowID, column.property, &writer)
            }
        case .replaced?, nil:
            // A collection that is not out of line is stored in the row group.
            guard let collection = column.outOfLine[UInt32(row)] else { return }
            var builder = builders[column.property.id]
            builders[column.property.id] = nil
            func add(_ entry: CollectionEntry) throws(StoreError) {
                try builder?.append(
                    try entry.treeEntry(row: rowID, path: collection.path), to: &writer)
            }
            try collection.forEach(add)
            builders[column.property.id] = builder
        }
    }

    private mutating func append(
        _ entry: CollectionEntry, _ row: RowID, _ property: PropertySchema,
        _ writer: inout PageWriter
    ) throws(StoreError) {
        try builders[property.id]?.append(
            try entry.treeEntry(row: row, path: writer.file.path), to: &writer)
    }

    /// Writes the remaining nodes.
    ///
    /// - Returns: The trees that have elements.
    mutating func finish(
        _ writer: inout PageWriter
    ) throws(StoreError) -> [PropertyID: TreeRoot] {
        var roots: [PropertyID: TreeRoot] = [:]
        for property in table.schema.properties {
            roots[property.id] = try builders[property.id]?.finish(&writer)
        }
        return roots
    }
}
