import FirnValues

/// A relocation of unchanged pages of a root, with an update of the references to them.
struct Relocation {
    /// The locations to which a page may move.
    enum Rule {
        /// Nearer to the beginning of the file.
        case down
        /// Anywhere; the forbidden holes were allocated before.
        case away
    }

    private let rule: Rule
    /// The new references of moved pages, by their old first unit.
    private var moved: [UInt64: PageReference] = [:]
    private var groups: [ClassID: Set<RowID>] = [:]
    /// The directories with a node to rewrite, by a row group below it.
    private var directories: [ClassID: Set<RowID>] = [:]
    private var trees: [ClassID: Set<TreeSlot>] = [:]
    /// The first units of inner nodes of trees to rewrite.
    private var nodes: Set<UInt64> = []
    /// The number of moved units.
    private(set) var unitCount: UInt64 = 0

    init(_ rule: Rule) { self.rule = rule }

    /// Moves a page, if there is space for it.
    mutating func move(
        _ entry: ExtentIndex.Entry, in step: inout CompactionStep
    ) throws(StoreError) {
        let extent = entry.extent
        switch entry.owner {
        case .group(let id, let first):
            guard try copy(entry.reference, in: &step) else { return }
            groups[id, default: []].insert(first)
        case .leaf(let id, let slot):
            guard try copy(entry.reference, in: &step) else { return }
            trees[id, default: []].insert(slot)
        case .node(let id, let slot):
            // The node is rewritten later with the new references of its children, wherever there
            // is room.
            guard hasRoom(extent, in: step) else { return }
            nodes.insert(extent.start)
            trees[id, default: []].insert(slot)
        case .directory(let id, let first):
            guard hasRoom(extent, in: step) else { return }
            directories[id, default: []].insert(first)
        }
        unitCount += extent.length
    }

    private mutating func copy(
        _ reference: PageReference, in step: inout CompactionStep
    ) throws(StoreError) -> Bool {
        guard let destination = destination(for: reference.extent, &step.writer.space) else {
            return false
        }
        moved[reference.start] = try step.writer.copy(reference, to: destination)
        step.writer.space.free(reference.extent)
        return true
    }

    private func destination(for extent: Extent, _ space: inout SpaceAllocator) -> Extent? {
        let byteCount = Int(extent.byteCount)
        switch rule {
        case .down: return space.allocateLowest(bytes: byteCount, below: extent.start)
        case .away:
            return space.allocateLowest(bytes: byteCount, below: .max)
                ?? space.allocate(bytes: byteCount)
        }
    }

    private func hasRoom(_ extent: Extent, in step: CompactionStep) -> Bool {
        var space = step.writer.space
        return destination(for: extent, &space) != nil
    }

    // MARK: References

    /// Rewrites the owners of the moved pages.
    mutating func finish(_ step: inout CompactionStep) throws(StoreError) {
        for id in Set(groups.keys).union(directories.keys) {
            guard let table = step.table(id) else { continue }
            var edits = DirectoryEdits()
            for first in (groups[id] ?? []).union(directories[id] ?? []) {
                guard let group = try table.directory.group(for: first) else { continue }
                edits.replaced[group.firstRowID] = [relocated(group)]
            }
            try step.apply(edits, to: table)
        }
        for (id, slots) in trees {
            for slot in slots {
                guard let table = step.table(id) else { continue }
                var record = table.record
                record[slot] = try relocated(table.tree(slot), &step.writer)
                step.catalog[id] = record
            }
        }
    }

    private func relocated(_ group: RowGroup) -> RowGroup {
        func current(_ reference: PageReference) -> PageReference {
            moved[reference.start] ?? reference
        }
        return RowGroup(
            firstRowID: group.firstRowID, rowCount: group.rowCount,
            rowIDs: group.rowIDs.map(current), deletedCount: group.deletedCount,
            deleted: group.deleted.map(current),
            columns: group.columns.map { column in
                StoredColumn(
                    property: column.property, part: column.part,
                    reference: current(column.reference), zone: column.zone,
                    encoding: column.encoding, rawByteCount: column.rawByteCount)
            })
    }

    private func relocated(
        _ tree: Tree, _ writer: inout PageWriter
    ) throws(StoreError) -> TreeRoot? {
        guard let root = tree.root else { return nil }
        guard root.level > 0 else {
            return TreeRoot(
                reference: moved[root.reference.start] ?? root.reference, level: 0,
                entryCount: root.entryCount)
        }
        let reference = try relocated(try tree.load(root), at: root.reference, of: tree, &writer)
        return TreeRoot(reference: reference, level: root.level, entryCount: root.entryCount)
    }

    /// Rewrites an inner node if it is to be moved, or if a child was moved.
    private func relocated(
        _ node: TreeNode, at reference: PageReference, of tree: Tree, _ writer: inout PageWriter
    ) throws(StoreError) -> PageReference {
        var content = TreeContent(level: node.level)
        var isChanged = nodes.contains(reference.start)
        for index in 0..<node.content.count {
            let child = node.content.child(at: index)
            var reference = moved[child.reference.start] ?? child.reference
            if node.level > 1 {
                reference = try relocated(
                    try tree.load(childOf: node, at: index), at: child.reference, of: tree, &writer)
            }
            if reference != child.reference { isChanged = true }
            content.append(
                TreeChild(
                    firstKey: child.firstKey, entryCount: child.entryCount, reference: reference))
        }
        guard isChanged else { return reference }
        writer.space.free(reference.extent)
        return try TreeLevelWriter.write(content, 0..<content.count, &writer).reference
    }
}
