import FirnPlatform
import FirnValues

/// The replacement of a range of entries; an empty range is an insertion before its rank.
struct TreeSplice: Sendable {
    var ranks: Range<UInt64>
    var entries: [TreeEntry]
}

/// A writer of a changed tree, which writes only the nodes that edits touch and their ancestors.
///
/// A rewriter is used once per tree and transaction. The extents of replaced nodes are freed; the
/// old tree stays intact until the space is reused.
struct TreeRewriter {
    private let tree: Tree
    private let nodeByteCount: Int
    /// The splices; `splices[next]` holds the rest of the current one.
    private var splices: [TreeSplice] = []
    private var next = 0

    /// - Parameter nodeByteCount: The size to which nodes are filled; it is small only in tests.
    init(_ tree: Tree, nodeByteCount: Int = TreeNode.byteCountTarget) {
        self.tree = tree
        self.nodeByteCount = nodeByteCount
    }

    /// Applies splices, which ascend by rank without overlap and refer to ranks of the old tree.
    ///
    /// - Returns: The new root, or `nil` if no entry is left.
    /// - Throws: `corrupt` if an entry would violate the order of the keys.
    /// - Complexity: O(splices * log n) nodes
    mutating func apply(
        _ splices: [TreeSplice], to writer: inout PageWriter
    ) throws(StoreError) -> TreeRoot? {
        self.splices = splices.filter { !$0.ranks.isEmpty || !$0.entries.isEmpty }
        next = 0
        guard !self.splices.isEmpty else { return tree.root }
        try checkRanks()
        var top = TreeLevelWriter(tree, level: tree.root?.level ?? 0, nodeByteCount: nodeByteCount)
        if let root = tree.root {
            let node = try tree.load(root)
            writer.space.free(root.reference.extent)
            try edit(node, start: 0, isLast: true, into: &top, &writer)
        } else {
            for splice in self.splices {
                for entry in splice.entries { try top.add(entry, &writer) }
            }
        }
        return try finish(top, &writer)
    }

    /// Removes all entries of some keys, then inserts entries.
    ///
    /// Both lists ascend. A missing key is not an error: afterwards the tree has exactly the
    /// inserted entries of all these keys.
    mutating func applyKeyEdits(
        inserting: [TreeEntry], deleting: [[UInt8]], to writer: inout PageWriter
    ) throws(StoreError) -> TreeRoot? {
        var splices: [TreeSplice] = []
        var cursor = TreeCursor(tree)
        var inserted = inserting[...]
        var deleted = deleting[...]
        while let key = TreeRewriter.least(inserted.first?.key, deleted.first) {
            let lower = try cursor.lowerBound(key)
            var upper = lower
            if deleted.first == key {
                upper = max(lower, try cursor.upperBound(key))
                while deleted.first == key { deleted.removeFirst() }
            }
            var entries: [TreeEntry] = []
            while let entry = inserted.first, entry.key == key {
                entries.append(entry)
                inserted.removeFirst()
            }
            // Insertions before the same entry form one splice.
            if lower == upper, let last = splices.indices.last,
                splices[last].ranks == lower..<lower
            {
                splices[last].entries += entries
            } else {
                splices.append(TreeSplice(ranks: lower..<upper, entries: entries))
            }
        }
        return try apply(splices, to: &writer)
    }

    /// Frees all nodes; leaves are not read, because only their locations are needed.
    func freeAll(_ writer: inout PageWriter) throws(StoreError) {
        guard let root = tree.root else { return }
        if root.level > 0 { try freeChildren(of: try tree.load(root), &writer) }
        writer.space.free(root.reference.extent)
    }

    // MARK: Descending

    private func checkRanks() throws(StoreError) {
        var end: UInt64 = 0
        for splice in splices {
            guard splice.ranks.lowerBound >= end, splice.ranks.upperBound <= tree.count else {
                throw .corrupt(
                    tree.pages.file.path,
                    "an edit of the \(tree.name) is of entries that it does not have")
            }
            end = splice.ranks.upperBound
        }
    }

    /// Whether the next splice begins before a rank, or at it if it is the end of the tree.
    private func hasSplice(before end: UInt64, isLast: Bool) -> Bool {
        guard next < splices.count else { return false }
        let lower = splices[next].ranks.lowerBound
        return lower < end || (isLast && lower <= end)
    }

    /// Passes the result of editing a node to the writer of its level.
    private mutating func edit(
        _ node: TreeNode, start: UInt64, isLast: Bool, into output: inout TreeLevelWriter,
        _ writer: inout PageWriter
    ) throws(StoreError) {
        if node.level == 0 {
            return try editLeaf(node, start: start, isLast: isLast, into: &output, &writer)
        }
        var below = TreeLevelWriter(tree, level: node.level - 1, nodeByteCount: nodeByteCount)
        for index in 0..<node.content.count {
            let child = node.content.child(at: index)
            let childStart = start + node.start(ofChild: index)
            let childEnd = childStart + child.entryCount
            let isLastChild = isLast && index == node.content.count - 1
            if !hasSplice(before: childEnd, isLast: isLastChild) {
                try below.keep(child, &writer)
            } else if removesAll(childStart..<childEnd), !(isLastChild && hasSpliceBehindNext) {
                if node.level > 1 {
                    try freeChildren(of: try tree.load(child, level: node.level - 1), &writer)
                }
                writer.space.free(child.reference.extent)
                consume(upTo: childEnd)
            } else {
                let childNode = try tree.load(child, level: node.level - 1)
                writer.space.free(child.reference.extent)
                try edit(
                    childNode, start: childStart, isLast: isLastChild, into: &below, &writer)
            }
        }
        try below.finish(&writer)
        try output.add(below.nodes, 0..<below.nodes.count, &writer)
    }

    private mutating func editLeaf(
        _ node: TreeNode, start: UInt64, isLast: Bool, into output: inout TreeLevelWriter,
        _ writer: inout PageWriter
    ) throws(StoreError) {
        let end = start + node.entryCount
        var rank = start
        while hasSplice(before: end, isLast: isLast) {
            let lower = splices[next].ranks.lowerBound
            try output.add(node.content, Int(rank - start)..<Int(lower - start), &writer)
            for entry in splices[next].entries { try output.add(entry, &writer) }
            splices[next].entries = []
            rank = min(splices[next].ranks.upperBound, end)
            consume(upTo: rank)
        }
        try output.add(node.content, Int(rank - start)..<node.content.count, &writer)
    }

    /// Whether a splice follows the next one.
    ///
    /// At the last leaf, it is an insertion after the last entry, which only that leaf can take.
    private var hasSpliceBehindNext: Bool { next + 1 < splices.count }

    /// Whether the next splice inserts nothing and removes all entries of a range.
    private func removesAll(_ ranks: Range<UInt64>) -> Bool {
        let splice = splices[next]
        return splice.entries.isEmpty && splice.ranks.lowerBound == ranks.lowerBound
            && splice.ranks.upperBound >= ranks.upperBound
    }

    /// Records that the next splice is applied up to a rank.
    private mutating func consume(upTo rank: UInt64) {
        if splices[next].ranks.upperBound <= rank {
            next += 1
        } else {
            splices[next].ranks = rank..<splices[next].ranks.upperBound
        }
    }

    private func freeChildren(
        of node: TreeNode, _ writer: inout PageWriter
    ) throws(StoreError) {
        for index in 0..<node.content.count {
            let child = node.content.child(at: index)
            if node.level > 1 {
                try freeChildren(of: try tree.load(child, level: node.level - 1), &writer)
            }
            writer.space.free(child.reference.extent)
        }
    }

    // MARK: The root

    /// Raises the tree until one node is left, or lowers it if the root has only one child.
    private func finish(
        _ top: TreeLevelWriter, _ writer: inout PageWriter
    ) throws(StoreError) -> TreeRoot? {
        var top = top
        while true {
            let level = top.nodes.level - 1
            if let child = top.onlyChild {
                return TreeRoot(
                    reference: child.reference, level: level - 1, entryCount: child.entryCount)
            }
            try top.finish(&writer)
            let nodes = top.nodes
            guard !nodes.isEmpty else { return nil }
            top = TreeLevelWriter(tree, level: level + 1, nodeByteCount: nodeByteCount)
            try top.add(nodes, 0..<nodes.count, &writer)
        }
    }

    private static func least(_ left: [UInt8]?, _ right: [UInt8]?) -> [UInt8]? {
        guard let left else { return right }
        guard let right else { return left }
        return KeyOrder.order(left, right) == .greater ? right : left
    }
}
