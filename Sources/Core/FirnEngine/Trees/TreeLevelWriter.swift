import FirnPlatform
import FirnValues

/// A writer that builds nodes of one level from ordered items.
///
/// Items wait until an unchanged node follows, so that neighbouring new nodes share them evenly. If
/// there are too few of them, they join a neighbour.
struct TreeLevelWriter {
    private let tree: Tree
    private let nodeByteCount: Int
    /// The items that are to become nodes.
    private var waiting: TreeContent
    private var waitingByteCount = 0
    /// The nodes of this level so far, which are items of the next one.
    private(set) var nodes: TreeContent
    /// Whether the last of `nodes` is an unchanged node.
    private var endsWithKept = false
    /// The size at which waiting items are written without regard to the following ones, to bound
    /// the memory.
    private static let waitingByteCountMax = 1024 * 1024

    init(_ tree: Tree, level: Int, nodeByteCount: Int) {
        self.tree = tree
        self.nodeByteCount = min(nodeByteCount, TreeContent.nodeByteCountMax - 64)
        waiting = TreeContent(level: level)
        nodes = TreeContent(level: level + 1)
    }

    private var level: Int { waiting.level }

    /// The only item, if no node was written yet; a root with a single child is not needed.
    var onlyChild: TreeChild? {
        level > 0 && nodes.isEmpty && waiting.count == 1 ? waiting.child(at: 0) : nil
    }

    // MARK: Adding

    /// Adds an entry to a leaf.
    mutating func add(
        _ entry: TreeEntry, _ writer: inout PageWriter
    ) throws(StoreError) {
        try TreeLevelWriter.checkSize(
            key: entry.key.count, value: entry.value.count, writer.file.path)
        if !waiting.isEmpty,
            waiting.entries.order(at: waiting.count - 1, relativeTo: entry.key) == .greater
        {
            throw outOfOrder
        }
        waiting.append(entry)
        try added(1, &writer)
    }

    /// Adds items of a node that is not kept.
    mutating func add(
        _ content: TreeContent, _ range: Range<Int>, _ writer: inout PageWriter
    ) throws(StoreError) {
        guard !range.isEmpty else { return }
        // The order within a node was checked when it was read.
        if !waiting.isEmpty,
            waiting.entries.order(
                at: waiting.count - 1, relativeTo: content.entries, at: range.lowerBound)
                == .greater
        {
            throw outOfOrder
        }
        waiting.append(content, range)
        try added(range.count, &writer)
    }

    private mutating func added(_ count: Int, _ writer: inout PageWriter) throws(StoreError) {
        for index in (waiting.count - count)..<waiting.count {
            waitingByteCount += waiting.byteCount(at: index)
        }
        if waitingByteCount > TreeLevelWriter.waitingByteCountMax { try writeWaiting(&writer) }
    }

    /// Continues with an unchanged node, whose items join the waiting ones if these are too few.
    mutating func keep(_ child: TreeChild, _ writer: inout PageWriter) throws(StoreError) {
        guard waiting.isEmpty || !isUnderfull else {
            let node = try tree.load(child, level: level)
            writer.space.free(child.reference.extent)
            return try add(node.content, 0..<node.content.count, &writer)
        }
        try writeWaiting(&writer)
        try append(child)
        endsWithKept = true
    }

    /// Writes the waiting items; if there are too few, they join the previous node.
    mutating func finish(_ writer: inout PageWriter) throws(StoreError) {
        if !waiting.isEmpty, isUnderfull, endsWithKept {
            let last = nodes.child(at: nodes.count - 1)
            let node = try tree.load(last, level: level)
            writer.space.free(last.reference.extent)
            nodes.removeLast()
            endsWithKept = false
            let tail = waiting
            waiting.removeAll()
            waitingByteCount = 0
            try add(node.content, 0..<node.content.count, &writer)
            try add(tail, 0..<tail.count, &writer)
        }
        try writeWaiting(&writer)
    }

    private var isUnderfull: Bool { waitingByteCount < nodeByteCount / 4 }

    // MARK: Writing

    /// Divides the waiting items into nodes of about the same size within the limit.
    ///
    /// One long entry, or two children with long keys, form a node of their own.
    private mutating func writeWaiting(_ writer: inout PageWriter) throws(StoreError) {
        guard !waiting.isEmpty else { return }
        let nodeCount = (waitingByteCount + nodeByteCount - 1) / nodeByteCount
        let share = (waitingByteCount + nodeCount - 1) / nodeCount
        let countMin = level == 0 ? 1 : 2
        var first = 0
        var byteCount = 0
        for index in 0..<waiting.count {
            let next = waiting.byteCount(at: index)
            let isFull = byteCount >= share || byteCount + next > nodeByteCount
            if isFull, index - first >= countMin {
                try append(TreeLevelWriter.write(waiting, first..<index, &writer))
                (first, byteCount) = (index, 0)
            }
            byteCount += next
        }
        try append(TreeLevelWriter.write(waiting, first..<waiting.count, &writer))
        endsWithKept = false
        waiting.removeAll()
        waitingByteCount = 0
    }

    private mutating func append(_ child: TreeChild) throws(StoreError) {
        if !nodes.isEmpty,
            nodes.entries.order(at: nodes.count - 1, relativeTo: child.firstKey) == .greater
        {
            throw outOfOrder
        }
        nodes.append(child)
    }

    /// Writes one node.
    static func write(
        _ content: TreeContent, _ range: Range<Int>, _ writer: inout PageWriter
    ) throws(StoreError) -> TreeChild {
        guard content.level <= TreeNode.maximumLevel else {
            throw StoreError(.limitExceeded, path: writer.file.path, detail: "an index is too deep")
        }
        let reference = try writer.write(blob: content.encoded(range))
        return TreeChild(
            firstKey: content.entries.key(at: range.lowerBound),
            entryCount: content.entryCount(range), reference: reference)
    }

    /// Rejects an entry that no node can hold.
    static func checkSize(
        key: Int, value: Int, _ path: String
    ) throws(StoreError) {
        guard key + value <= TreeContent.entryByteCountMax else {
            throw StoreError(
                .limitExceeded, path: path,
                detail: "a key or element takes \(key + value) bytes, the limit is "
                    + "\(TreeContent.entryByteCountMax >> 20) MiB")
        }
    }

    private var outOfOrder: StoreError {
        .corrupt(tree.pages.file.path, "the \(tree.name) would be out of order")
    }
}
