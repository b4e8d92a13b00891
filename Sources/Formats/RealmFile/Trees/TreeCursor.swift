import FirnValues

/// Visits the leaves of a collection in their order.
///
///     inner node:  | offsets or count per child | child 0 | child 1 | ... | elements below |
final class TreeCursor {
    private struct Level {
        let node: ArrayNode
        let childCount: Int
        var next = 0
    }

    private let nodes: NodeReader
    private let root: UInt64
    private var levels: [Level] = []
    private var hasBegun = false

    init(_ root: UInt64, _ nodes: NodeReader) {
        self.root = root
        self.nodes = nodes
    }

    /// Returns the next leaf; `nil` after the last one.
    func next() throws(RealmFileError) -> ArrayNode? {
        if !hasBegun {
            hasBegun = true
            if let leaf = try visit(root) { return leaf }
        }
        while let level = levels.last {
            guard level.next < level.childCount else {
                levels.removeLast()
                continue
            }
            levels[levels.count - 1].next += 1
            let position = try nodes.requiredPosition(in: level.node, 1 + level.next)
            if let leaf = try visit(position) { return leaf }
        }
        return nil
    }

    private func visit(_ position: UInt64) throws(RealmFileError) -> ArrayNode? {
        let node = try nodes.node(at: position)
        guard node.isInner else { return node }
        let childCount = node.size - 2
        guard node.widthType == .bits, levels.count < ReadLimits.treeDepthMax,
            (0...ReadLimits.nodeElementsMax).contains(childCount)
        else { throw .damaged("the tree of a collection is not sound", at: position) }
        levels.append(Level(node: node, childCount: childCount))
        return nil
    }
}
