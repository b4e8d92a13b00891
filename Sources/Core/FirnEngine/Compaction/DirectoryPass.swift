import FirnCodec
import FirnValues

/// A pass that rewrites the directory of a class if its nodes have lost many groups.
///
/// The whole directory is one step, because it takes a hundredth of the size of the data.
struct DirectoryPass: CompactionPass {
    private let classID: ClassID
    private var isDone = false

    init(_ classID: ClassID) { self.classID = classID }

    mutating func advance(_ compactor: inout Compactor) throws(StoreError) -> UInt64? {
        guard !isDone else { return nil }
        isDone = true
        let snapshot = try compactor.store.snapshot()
        guard let record = snapshot.root.catalog[classID] else { return nil }
        if let root = record.directory, compactor.frozen.contains(root.reference.extent) {
            return nil
        }
        let directory = Directory(
            root: record.directory, schema: record.schema, pages: snapshot.pages)
        let old = try directory.leafCount()
        let groupCount = try directory.groups().count
        let new =
            (groupCount + DirectoryNode.maximumGroupCount - 1) / DirectoryNode.maximumGroupCount
        guard old > new + new / 8 else { return nil }
        _ = try compactor.step { step throws(StoreError) in try rebuild(in: &step) }
        return 0
    }

    private func rebuild(in step: inout CompactionStep) throws(StoreError) -> Bool {
        guard let table = step.table(classID) else { return false }
        var edits = DirectoryEdits()
        edits.appended = try table.directory.groups()
        try table.directory.forEachNode { step.writer.space.free($0.reference.extent) }
        var record = table.record
        var rewriter = DirectoryRewriter(
            Directory(root: nil, schema: table.schema, pages: table.directory.pages), edits)
        record.directory = try rewriter.rewrite(&step.writer)
        step.catalog[classID] = record
        return true
    }
}

extension Directory {
    /// A node and the first row id below it.
    struct NodeEntry {
        let reference: PageReference
        let level: Int
        let firstRowID: RowID
    }

    /// Visits the locations of all nodes; leaves are not read.
    func forEachNode(_ visit: (NodeEntry) throws(StoreError) -> Void) throws(StoreError) {
        guard let root else { return }
        let first = try load(root.reference, level: root.level).firstRowID
        var pending = [
            NodeEntry(reference: root.reference, level: root.level, firstRowID: first)
        ]
        while let next = pending.popLast() {
            try visit(next)
            guard next.level > 0 else { continue }
            guard case .children(let children) = try load(next.reference, level: next.level).content
            else { continue }
            pending += children.map {
                NodeEntry(
                    reference: $0.reference, level: next.level - 1, firstRowID: $0.firstRowID)
            }
        }
    }

    /// Returns the number of leaves.
    fileprivate func leafCount() throws(StoreError) -> Int {
        var count = 0
        try forEachNode { if $0.level == 0 { count += 1 } }
        return count
    }
}

extension DirectoryNode {
    /// The first row id below the node.
    fileprivate var firstRowID: RowID {
        switch content {
        case .groups(let groups): groups.first?.firstRowID ?? RowID(0)
        case .children(let children): children.first?.firstRowID ?? RowID(0)
        }
    }
}
