import FirnValues

/// A check of all nodes of a tree: every page decodes, keys ascend, counts add up.
struct TreeCheck {
    private let tree: Tree
    private let isUnique: Bool
    private(set) var findings: [Finding] = []
    /// The extents of the nodes; an extent that two parents reference is listed twice.
    private(set) var extents: [Extent] = []
    private(set) var nodeCount = 0
    private(set) var entryCount: UInt64 = 0
    private var seen: Set<UInt64> = []
    private var lastKey: [UInt8]?

    /// - Parameter isUnique: Whether equal keys are damage.
    init(_ tree: Tree, isUnique: Bool) {
        self.tree = tree
        self.isUnique = isUnique
    }

    /// Checks the tree.
    ///
    /// - Throws: Only errors other than damage, such as a failure to read.
    mutating func run() throws(StoreError) {
        guard let root = tree.root else { return }
        try visit(root.reference, level: root.level) { tree throws(StoreError) in
            try tree.load(root)
        }
        if findings.isEmpty, entryCount != tree.count {
            add("has \(entryCount) entries, its root says \(tree.count)")
        }
    }

    private mutating func visit(
        _ reference: PageReference, level: Int,
        _ load: (Tree) throws(StoreError) -> TreeNode
    ) throws(StoreError) {
        extents.append(reference.extent)
        guard seen.insert(reference.start).inserted else {
            return add("leads to byte \(reference.byteOffset) twice")
        }
        let node: TreeNode
        do throws(StoreError) {
            node = try load(tree)
        } catch {
            guard error.code == .corrupt else { throw error }
            findings.append(Finding(kind: .page, message: error.detail))
            // The order cannot be checked across a gap.
            lastKey = nil
            return
        }
        nodeCount += 1
        guard level > 0 else { return visitLeaf(node.entries) }
        for index in 0..<node.content.count {
            let child = node.content.child(at: index)
            try visit(child.reference, level: level - 1) { tree throws(StoreError) in
                try tree.load(child, level: level - 1)
            }
        }
    }

    private mutating func visitLeaf(_ entries: TreeEntries) {
        entryCount &+= UInt64(entries.count)
        let isFirstInOrder =
            lastKey.map { isOrdered(entries.order(at: 0, relativeTo: $0).reversed) } ?? true
        let isRestInOrder =
            !isUnique
            || (1..<max(1, entries.count)).allSatisfy {
                isOrdered(entries.order(at: $0 - 1, relativeTo: entries, at: $0))
            }
        if !isFirstInOrder || !isRestInOrder {
            add("is out of order, or has a key twice, near entry \(entryCount)")
        }
        lastKey = entries.key(at: entries.count - 1)
    }

    private func isOrdered(_ order: Ordering) -> Bool {
        order == .less || (order == .equal && !isUnique)
    }

    private mutating func add(_ message: String) {
        findings.append(Finding(kind: .structure, message: "the \(tree.name) \(message)"))
    }
}
