import FirnValues

/// The pages of a root in a part of the file, with their owners.
///
/// Catalog and free space are not included, because every root rewrites them.
struct ExtentIndex {
    /// The owner of a page, which references it.
    enum Owner: Hashable, Sendable {
        /// A row group, by its first row id.
        case group(ClassID, RowID)
        /// A directory; the row id belongs to a row group below the node.
        case directory(ClassID, RowID)
        case leaf(ClassID, TreeSlot)
        /// An inner node of a tree.
        case node(ClassID, TreeSlot)
    }

    struct Entry {
        let reference: PageReference
        let owner: Owner

        var extent: Extent { reference.extent }
    }

    private(set) var entries: [Entry] = []
    private let units: Range<UInt64>

    /// Finds the pages with any unit in a range.
    ///
    /// - Complexity: O(row groups + inner nodes of trees) to read, O(pages in the range) to keep
    init(_ tables: [Table], in units: Range<UInt64>) throws(StoreError) {
        self.units = units
        for table in tables { try add(table) }
    }

    private mutating func add(_ reference: PageReference?, _ owner: Owner) {
        guard let reference else { return }
        let extent = reference.extent
        guard extent.end > units.lowerBound, extent.start < units.upperBound else { return }
        entries.append(Entry(reference: reference, owner: owner))
    }

    private mutating func add(_ table: Table) throws(StoreError) {
        let id = table.schema.id
        for group in try table.directory.groups() {
            let owner = Owner.group(id, group.firstRowID)
            for column in group.columns { add(column.reference, owner) }
            add(group.rowIDs, owner)
            add(group.deleted, owner)
        }
        var nodes: [Directory.NodeEntry] = []
        try table.directory.forEachNode { nodes.append($0) }
        for node in nodes { add(node.reference, .directory(id, node.firstRowID)) }
        for slot in table.record.treeSlots {
            var nodes: [(reference: PageReference, level: Int)] = []
            try table.tree(slot).forEachNode { nodes.append(($0, $1)) }
            for (reference, level) in nodes {
                add(reference, level == 0 ? .leaf(id, slot) : .node(id, slot))
            }
        }
    }
}
