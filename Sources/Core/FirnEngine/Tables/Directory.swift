import FirnPlatform
import FirnValues

/// The row groups of a class in one root, read node by node on demand.
struct Directory: Sendable {
    let root: DirectoryRoot?
    let schema: ClassSchema
    let pages: PageStore

    /// Visits all row groups in the order of their row ids.
    ///
    /// - Parameter visit: Returns whether to continue.
    func forEachGroup(
        _ visit: (RowGroup) throws(StoreError) -> Bool
    ) throws(StoreError) {
        guard let root else { return }
        // A damaged tree may reference the same node repeatedly, so the ids must always ascend.
        var last: RowID?
        _ = try walk(root.reference, level: root.level) { group throws(StoreError) in
            if let last, last >= group.firstRowID {
                throw .corrupt(
                    pages.file.path, "the row group directory of \(schema.name) is out of order")
            }
            last = group.firstRowID
            return try visit(group)
        }
    }

    /// Returns all row groups with their zone maps and references, but not their pages.
    ///
    /// - Complexity: O(row groups)
    func groups() throws(StoreError) -> [RowGroup] {
        var groups: [RowGroup] = []
        try forEachGroup { group in
            groups.append(group)
            return true
        }
        return groups
    }

    /// Returns the group that may contain a row id: the last that begins at or before it.
    ///
    /// - Complexity: O(log row groups)
    func group(for row: RowID) throws(StoreError) -> RowGroup? {
        guard let groups = try leaf(for: row) else { return nil }
        let index = Bisection.lastIndex(in: groups) { $0.firstRowID <= row }
        return index.map { groups[$0] }
    }

    /// Returns the groups of the leaf that may contain a row id, or `nil` if all groups of the
    /// inner nodes begin after it.
    ///
    /// - Complexity: O(log row groups)
    func leaf(for row: RowID) throws(StoreError) -> [RowGroup]? {
        guard let root else { return nil }
        var node = try load(root.reference, level: root.level)
        while true {
            switch node.content {
            case .groups(let groups): return groups
            case .children(let children):
                guard let index = Bisection.lastIndex(in: children, { $0.firstRowID <= row }) else {
                    return nil
                }
                node = try load(children[index].reference, level: node.level - 1)
            }
        }
    }

    /// Returns the groups of the last leaf.
    ///
    /// - Complexity: O(log row groups)
    func lastLeaf() throws(StoreError) -> [RowGroup] {
        guard let root else { return [] }
        var node = try load(root.reference, level: root.level)
        while true {
            switch node.content {
            case .groups(let groups): return groups
            case .children(let children):
                guard let last = children.last else { return [] }
                node = try load(last.reference, level: node.level - 1)
            }
        }
    }

    /// Returns the node of a reference.
    ///
    /// The node must have the level that its parent implies, which also bounds the depth of crafted
    /// trees.
    func load(_ reference: PageReference, level: Int) throws(StoreError) -> DirectoryNode {
        let node: DirectoryNode = try pages.node(
            reference, context: "row group directory of \(schema.name)")
        guard node.level == level else {
            throw .corrupt(
                pages.file.path, "the row group directory of \(schema.name) has a wrong level")
        }
        return node
    }

    private func walk(
        _ reference: PageReference, level: Int,
        _ visit: (RowGroup) throws(StoreError) -> Bool
    ) throws(StoreError) -> Bool {
        switch try load(reference, level: level).content {
        case .groups(let groups):
            for group in groups {
                guard try visit(group) else { return false }
            }
        case .children(let children):
            for child in children {
                guard try walk(child.reference, level: level - 1, visit) else { return false }
            }
        }
        return true
    }
}
