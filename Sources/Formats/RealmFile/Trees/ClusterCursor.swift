import FirnValues

/// Some objects of a class: their keys, and a leaf for each column.
package struct Cluster {
    /// The keys in ascending order.
    package let keys: [UInt64]
    private let node: ArrayNode

    init(keys: [UInt64], _ node: ArrayNode) {
        self.keys = keys
        self.node = node
    }

    /// The position of the cluster, for messages.
    var position: UInt64 { node.position }

    /// Returns the array of a column; `nil` if it has none.
    func leaf(_ column: Int, _ nodes: NodeReader) throws(RealmFileError) -> ArrayNode? {
        try nodes.position(in: node, column + 1).map { position throws(RealmFileError) in
            try nodes.node(at: position)
        }
    }
}

/// Visits the objects of a tree in the order of their keys.
///
///     inner node:  | keys or 0 | depth | objects below | child 0 | child 1 | ...
///     cluster:     | keys, or their number | column 0 | column 1 | ...
///
/// Keys are relative: those of an object are the sum of the keys on the path to it.
package final class ClusterCursor {
    /// The slots of an inner node.
    private enum Slot {
        static let keys = 0
        static let depth = 1
        static let count = 2
        static let children = 3
    }

    /// The bits of a key that one level distinguishes.
    private static let bitsPerLevel = 8

    private struct Level {
        let node: ArrayNode
        /// The keys of the children; `nil` if they follow from their order.
        let keys: [UInt64]?
        let depth: Int
        let base: UInt64
        let childCount: Int
        var next = 0
    }

    private let nodes: NodeReader
    private let root: UInt64
    private var levels: [Level] = []
    private var hasBegun = false
    private var lastKey: UInt64?

    init(_ root: UInt64, _ nodes: NodeReader) {
        self.root = root
        self.nodes = nodes
    }

    /// Returns the number of objects of a tree without visiting them.
    static func objectCount(
        _ root: UInt64?, _ nodes: NodeReader
    ) throws(RealmFileError) -> UInt64 {
        guard let root else { return 0 }
        let node = try nodes.references(at: root)
        if node.isInner { return try nodes.number(in: node, Slot.count) ?? 0 }
        let first = node.slot(0)
        if first & 1 == 1 || first == 0 { return first >> 1 }
        return UInt64(try nodes.node(at: first).size)
    }

    /// Returns the next objects; `nil` after the last ones.
    package func next() throws(RealmFileError) -> Cluster? {
        if !hasBegun {
            hasBegun = true
            if let cluster = try visit(root, base: 0, depth: nil) { return cluster }
        }
        while var level = levels.last {
            guard level.next < level.childCount else {
                levels.removeLast()
                continue
            }
            let child = level.next
            level.next += 1
            levels[levels.count - 1] = level
            let (base, overflow) = level.base.addingReportingOverflow(try offset(child, level))
            guard !overflow, base >> 63 == 0 else {
                throw .damaged("the key of an object is too large", at: level.node.position)
            }
            let position = try nodes.requiredPosition(in: level.node, Slot.children + child)
            if let cluster = try visit(position, base: base, depth: level.depth - 1) {
                return cluster
            }
        }
        return nil
    }

    private func offset(_ child: Int, _ level: Level) throws(RealmFileError) -> UInt64 {
        if let keys = level.keys { return keys[child] }
        let shift = UInt64(level.depth * ClusterCursor.bitsPerLevel)
        guard shift < 64, (UInt64(child) << shift) >> shift == UInt64(child) else {
            throw .damaged("the key of an object is too large", at: level.node.position)
        }
        return UInt64(child) << shift
    }

    /// Returns a cluster, or begins the level of an inner node.
    ///
    /// - Parameter depth: the levels from here to the clusters, which every level has one less of;
    ///   `nil` at the root.
    private func visit(
        _ position: UInt64, base: UInt64, depth: Int?
    ) throws(RealmFileError) -> Cluster? {
        let node = try nodes.references(at: position)
        guard node.isInner else {
            guard depth ?? 0 == 0 else {
                throw .damaged("a tree of objects is not balanced", at: position)
            }
            return try cluster(node, base)
        }
        let ownDepth = try nodes.number(in: node, Slot.depth) ?? 0
        let childCount = node.size - Slot.children
        guard (1...UInt64(ReadLimits.treeDepthMax)).contains(ownDepth),
            depth == nil || depth.map(UInt64.init) == ownDepth,
            (0...ReadLimits.nodeElementsMax).contains(childCount)
        else { throw .damaged("a tree of objects is not balanced", at: position) }
        let keys = try nodes.position(in: node, Slot.keys).map { place throws(RealmFileError) in
            try nodes.node(at: place).unsignedIntegers()
        }
        guard keys.map({ $0.count >= childCount }) ?? true else {
            throw .damaged("an inner node has too few keys", at: position)
        }
        levels.append(
            Level(
                node: node, keys: keys, depth: Int(ownDepth), base: base, childCount: childCount))
        return nil
    }

    private func cluster(_ node: ArrayNode, _ base: UInt64) throws(RealmFileError) -> Cluster {
        let first = node.slot(0)
        let relative: [UInt64]
        if first & 1 == 1 || first == 0 {
            guard first >> 1 <= UInt64(ReadLimits.clusterObjectsMax) else {
                throw .damaged("a cluster has too many objects: \(first >> 1)", at: node.position)
            }
            relative = Array(0..<(first >> 1))
        } else {
            relative = try nodes.node(at: first).unsignedIntegers()
            guard relative.count <= ReadLimits.clusterObjectsMax else {
                throw .damaged(
                    "a cluster has too many objects: \(relative.count)", at: node.position)
            }
        }
        var keys: [UInt64] = []
        keys.reserveCapacity(relative.count)
        for key in relative {
            let (sum, overflow) = base.addingReportingOverflow(key)
            guard !overflow, sum >> 63 == 0, lastKey.map({ $0 < sum }) ?? true else {
                throw .damaged("the keys of objects do not ascend", at: node.position)
            }
            lastKey = sum
            keys.append(sum)
        }
        return Cluster(keys: keys, node)
    }
}
