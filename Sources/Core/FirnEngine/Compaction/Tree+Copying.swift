import FirnCodec
import FirnPlatform
import FirnValues

/// A change to the entry of a key while a tree is copied.
struct TreeEdit<Change> {
    let key: [UInt8]
    let change: Change
}

extension Tree {
    /// Writes a tree with the same entries and some changes, as full as possible.
    ///
    /// - Parameters:
    ///   - edits: The changes in any order, at most one per key; the tree has each key once.
    ///   - resolve: Receives a change and the old value of the key, and returns the new value, or
    ///     `nil` to remove the entry.
    /// - Complexity: O(entries); memory for one node per level and the edits
    func copied<Change>(
        with edits: [TreeEdit<Change>], to writer: inout PageWriter,
        _ resolve: (Change, [UInt8]?) throws(StoreError) -> [UInt8]?
    ) throws(StoreError) -> TreeRoot? {
        let edits = edits.sorted { KeyOrder.order($0.key, $1.key) == .less }
        var next = 0
        var builder = TreeBuilder(name: name)
        func apply(_ old: [UInt8]?) throws(StoreError) {
            let edit = edits[next]
            next += 1
            guard let value = try resolve(edit.change, old) else { return }
            try builder.append(TreeEntry(key: edit.key, value: value), to: &writer)
        }
        try forEach(in: 0..<count) { key, value throws(StoreError) in
            while next < edits.count {
                let order = edits[next].key.withBytes { KeyOrder.order($0, key) }
                if order == .greater { break }
                try apply(order == .equal ? Array(value) : nil)
                if order == .equal { return true }
            }
            try builder.append(key: key, value: value, to: &writer)
            return true
        }
        while next < edits.count { try apply(nil) }
        return try builder.finish(&writer)
    }

    /// Returns the size of all nodes on disk without reading the leaves.
    func storedByteCount() throws(StoreError) -> UInt64 {
        var sum: UInt64 = 0
        try forEachNode { reference, _ in sum &+= reference.extent.byteCount }
        return sum
    }

    /// Visits the locations of all nodes with their levels; the leaves are not read.
    func forEachNode(
        _ visit: (PageReference, Int) throws(StoreError) -> Void
    ) throws(StoreError) {
        guard let root else { return }
        try visit(root.reference, root.level)
        if root.level > 0 { try forEachNode(below: try load(root), visit) }
    }

    private func forEachNode(
        below node: TreeNode, _ visit: (PageReference, Int) throws(StoreError) -> Void
    ) throws(StoreError) {
        for index in 0..<node.content.count {
            try visit(node.content.references[index], node.level - 1)
            if node.level > 1 {
                try forEachNode(below: try load(childOf: node, at: index), visit)
            }
        }
    }
}
