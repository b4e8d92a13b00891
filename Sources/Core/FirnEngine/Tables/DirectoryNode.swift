import FirnCodec
import FirnValues

/// A node of the tree that finds the row groups of a class by row id.
///
/// Leaves (level 0) hold row groups, inner nodes hold children; both ascend by first row id and
/// their ranges do not overlap. A node as a blob: u8 level, varint count, entries.
final class DirectoryNode: PageNode {
    /// A node of the next lower level.
    struct Child: Hashable, Sendable {
        let firstRowID: RowID
        let reference: PageReference
        let groupCount: UInt64
        /// The number of rows below the child that are not deleted.
        let liveRowCount: UInt64
    }

    enum Content: Sendable {
        case groups([RowGroup])
        case children([Child])
    }

    /// The highest level, sufficient for the groups of any file.
    static let maximumLevel = DirectoryRoot.maximumLevel
    /// A leaf of a wide class can still be read with one short `pread`.
    static let maximumGroupCount = 32
    static let maximumChildCount = 256

    let level: Int
    let content: Content
    /// The approximate size of the decoded node in the page cache.
    let memoryByteCount: Int

    init(groups: [RowGroup]) {
        level = 0
        content = .groups(groups)
        memoryByteCount = groups.reduce(64) { $0 + 128 + $1.packed.memoryByteCount }
    }

    init(children: [Child], level: Int) {
        self.level = level
        content = .children(children)
        memoryByteCount = 64 + children.count * 64
    }

    /// Returns the entry of this node in its parent.
    func child(reference: PageReference) -> Child? {
        switch content {
        case .groups(let groups):
            guard let first = groups.first else { return nil }
            return Child(
                firstRowID: first.firstRowID, reference: reference,
                groupCount: UInt64(groups.count),
                liveRowCount: groups.reduce(0) { $0 + UInt64($1.liveRowCount) })
        case .children(let children):
            guard let first = children.first else { return nil }
            return Child(
                firstRowID: first.firstRowID, reference: reference,
                groupCount: children.reduce(0) { $0 &+ $1.groupCount },
                liveRowCount: children.reduce(0) { $0 &+ $1.liveRowCount })
        }
    }

    func encoded() -> [UInt8] {
        var writer = ByteWriter()
        writer.u8(UInt8(truncatingIfNeeded: level))
        switch content {
        case .groups(let groups):
            writer.varint(UInt64(groups.count))
            for group in groups { group.write(to: &writer) }
        case .children(let children):
            writer.varint(UInt64(children.count))
            for child in children {
                writer.varint(child.firstRowID.rawValue)
                child.reference.write(to: &writer)
                writer.varint(child.groupCount)
                writer.varint(child.liveRowCount)
            }
        }
        return writer.bytes
    }

    convenience init(decoding bytes: [UInt8]) throws(CodecError) {
        let leaf = bytes
        let result = try bytes.withBytes { bytes throws(CodecError) in
            var reader = ByteReader(bytes)
            let (level, count) = try DirectoryNode.head(&reader)
            return level == 0
                ? (level, Content.groups(try DirectoryNode.groups(&reader, count, of: leaf)))
                : (level, Content.children(try DirectoryNode.children(&reader, count)))
        }
        switch result.1 {
        case .groups(let groups): self.init(groups: groups)
        case .children(let children): self.init(children: children, level: result.0)
        }
    }

    /// Reads the fields before the entries.
    private static func head(
        _ reader: inout ByteReader
    ) throws(CodecError) -> (level: Int, count: UInt64) {
        let level = Int(try reader.u8())
        let count = try reader.varint()
        // No writer makes larger nodes, but a crafted compressed one could claim millions of
        // entries.
        let maximum =
            level == 0 ? DirectoryNode.maximumGroupCount : DirectoryNode.maximumChildCount
        guard level <= DirectoryNode.maximumLevel, count >= 1, count <= UInt64(maximum)
        else { throw CodecError(.corrupt, "impossible directory node", at: 0) }
        return (level, count)
    }

    /// Reads the number of entries of a node, which must have a given level.
    static func entryCount(_ reader: inout ByteReader, level: Int) throws(CodecError) -> Int {
        let (found, count) = try head(&reader)
        guard found == level else {
            throw CodecError(.corrupt, "directory node of a wrong level", at: 0)
        }
        return Int(count)
    }

    private static func groups(
        _ reader: inout ByteReader, _ count: UInt64, of leaf: [UInt8]
    ) throws(CodecError) -> [RowGroup] {
        var groups: [RowGroup] = []
        groups.reserveCapacity(Int(count))
        for _ in 0..<count {
            let group = try RowGroup(from: &reader, of: leaf)
            if let last = groups.last,
                last.firstRowID.rawValue + UInt64(last.rowCount) > group.firstRowID.rawValue
            {
                throw CodecError(.corrupt, "row groups overlap", at: reader.offset)
            }
            groups.append(group)
        }
        return groups
    }

    private static func children(
        _ reader: inout ByteReader, _ count: UInt64
    ) throws(CodecError) -> [Child] {
        var children: [Child] = []
        children.reserveCapacity(Int(count))
        for _ in 0..<count {
            let child = Child(
                firstRowID: RowID(try reader.varint()), reference: try PageReference(from: &reader),
                groupCount: try reader.varint(), liveRowCount: try reader.varint())
            if let last = children.last, last.firstRowID >= child.firstRowID {
                throw CodecError(.corrupt, "directory nodes out of order", at: reader.offset)
            }
            children.append(child)
        }
        return children
    }
}
