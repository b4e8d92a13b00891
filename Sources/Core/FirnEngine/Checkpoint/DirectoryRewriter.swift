import FirnPlatform
import FirnValues

/// A writer of only those nodes of a directory that edits change.
struct DirectoryRewriter {
    let directory: Directory
    var pending: [(first: RowID, groups: [RowGroup])]
    var appended: [RowGroup]

    init(_ directory: Directory, _ edits: DirectoryEdits) {
        self.directory = directory
        pending = edits.replaced.map { ($0.key, $0.value) }.sorted { $0.first > $1.first }
        appended = edits.appended
    }

    /// Writes the new tree.
    ///
    /// - Returns: Its root, or `nil` if no row group is left.
    mutating func rewrite(_ writer: inout PageWriter) throws(StoreError) -> DirectoryRoot? {
        var level = 0
        var children: [DirectoryNode.Child]
        if let root = directory.root {
            children = try rewrite(root.reference, level: root.level, isLast: true, &writer)
            level = root.level
        } else {
            children = try writeLeaves(appended, &writer)
        }
        guard pending.isEmpty else {
            throw .corrupt(
                directory.pages.file.path,
                "a row group of \(directory.schema.name) is not where its directory says")
        }
        while children.count > 1 {
            level += 1
            children = try writeInner(children, level: level, &writer)
        }
        return children.first.map { DirectoryRoot(reference: $0.reference, level: level) }
    }

    /// Rewrites the tree below a node.
    ///
    /// - Parameter isLast: Whether the node is the rightmost of its level, to which groups are
    ///   appended.
    /// - Returns: The entries that replace the node's entry in its parent.
    private mutating func rewrite(
        _ reference: PageReference, level: Int, isLast: Bool, _ writer: inout PageWriter
    ) throws(StoreError) -> [DirectoryNode.Child] {
        let node = try directory.load(reference, level: level)
        switch node.content {
        case .groups(let old):
            var groups: [RowGroup] = []
            for group in old {
                if let edit = pending.last, edit.first == group.firstRowID {
                    groups.append(contentsOf: edit.groups)
                    pending.removeLast()
                } else {
                    groups.append(group)
                }
            }
            if isLast { groups.append(contentsOf: appended) }
            writer.space.free(reference.extent)
            return try writeLeaves(groups, &writer)
        case .children(let old):
            var children: [DirectoryNode.Child] = []
            for (index, child) in old.enumerated() {
                let isLastChild = isLast && index == old.count - 1
                let end = index + 1 < old.count ? old[index + 1].firstRowID : nil
                if touches(child, before: end) || (isLastChild && !appended.isEmpty) {
                    children += try rewrite(
                        child.reference, level: level - 1, isLast: isLastChild, &writer)
                } else {
                    children.append(child)
                }
            }
            writer.space.free(reference.extent)
            return try writeInner(children, level: level, &writer)
        }
    }

    /// Whether the next edit concerns a group below a child.
    private func touches(_ child: DirectoryNode.Child, before end: RowID?) -> Bool {
        guard let edit = pending.last, edit.first >= child.firstRowID else { return false }
        return end.map { edit.first < $0 } ?? true
    }

    private func writeLeaves(
        _ groups: [RowGroup], _ writer: inout PageWriter
    ) throws(StoreError) -> [DirectoryNode.Child] {
        var children: [DirectoryNode.Child] = []
        for chunk in DirectoryRewriter.chunks(of: groups, limit: DirectoryNode.maximumGroupCount) {
            try DirectoryRewriter.write(DirectoryNode(groups: chunk), &writer, to: &children)
        }
        return children
    }

    private func writeInner(
        _ children: [DirectoryNode.Child], level: Int, _ writer: inout PageWriter
    ) throws(StoreError) -> [DirectoryNode.Child] {
        guard level <= DirectoryNode.maximumLevel else {
            throw StoreError(
                .limitExceeded, path: writer.file.path, detail: "too many row groups")
        }
        var parents: [DirectoryNode.Child] = []
        for chunk in DirectoryRewriter.chunks(of: children, limit: DirectoryNode.maximumChildCount)
        {
            try DirectoryRewriter.write(
                DirectoryNode(children: chunk, level: level), &writer, to: &parents)
        }
        return parents
    }

    private static func write(
        _ node: DirectoryNode, _ writer: inout PageWriter, to children: inout [DirectoryNode.Child]
    ) throws(StoreError) {
        let reference = try writer.write(blob: node.encoded())
        if let child = node.child(reference: reference) { children.append(child) }
    }

    /// Divides elements into the fewest chunks within the limit.
    ///
    /// All but the last are full, because groups are usually appended.
    private static func chunks<Element>(of elements: [Element], limit: Int) -> [[Element]] {
        stride(from: 0, to: elements.count, by: limit).map { start in
            Array(elements[start..<min(start + limit, elements.count)])
        }
    }
}

/// The changes of a transaction to the row groups of a class.
struct DirectoryEdits {
    /// The replacements of the group that begins with a row id; an empty list removes the group.
    var replaced: [RowID: [RowGroup]] = [:]
    /// The groups after all others, ascending.
    var appended: [RowGroup] = []

    var isEmpty: Bool { replaced.isEmpty && appended.isEmpty }
}
