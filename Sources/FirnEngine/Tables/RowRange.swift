import FirnCodec
import FirnValues

/// Which rows a row group of the root has: all of a directory leaf that is needed to lay changes over
/// its groups.
struct RowRange: Hashable, Sendable {
    let firstRowID: RowID
    let rowCount: Int
    /// Whether every row is where its identity says, and exists.
    let isWhole: Bool

    init(_ group: RowGroup) {
        firstRowID = group.firstRowID
        rowCount = group.rowCount
        isWhole = group.rowIDs == nil && group.deleted == nil
    }

    private init(_ head: RowGroup.Head) {
        firstRowID = head.firstRowID
        rowCount = head.rowCount
        isWhole = head.rowIDs == nil && head.deleted == nil
    }

    func contains(_ row: RowID) -> Bool {
        row >= firstRowID && row.rawValue - firstRowID.rawValue < UInt64(rowCount)
    }

    /// The groups of a leaf.
    ///
    /// Their columns are only gone over, which takes half as long as checking them. Whoever reads a
    /// column decodes the leaf as a whole and finds what is wrong with it.
    static func ranges(of leaf: [UInt8]) throws(CodecError) -> [RowRange] {
        try leaf.withBytes { bytes throws(CodecError) in
            var reader = ByteReader(bytes)
            let count = try DirectoryNode.entryCount(&reader, level: 0)
            var ranges: [RowRange] = []
            ranges.reserveCapacity(count)
            for _ in 0..<count {
                let range = RowRange(try RowGroup.Head(from: &reader))
                if let last = ranges.last,
                    range.firstRowID <= last.firstRowID
                        || last.contains(range.firstRowID)
                {
                    throw CodecError(.corrupt, "row groups overlap", at: reader.offset)
                }
                try StoredColumns.skip(&reader)
                ranges.append(range)
            }
            return ranges
        }
    }
}

extension Directory {
    /// The groups of the leaf that may hold a row id; empty if all groups begin behind it.
    ///
    /// - Complexity: O(log row groups)
    func ranges(near row: RowID) throws(StoreError) -> [RowRange] {
        guard var (reference, level) = root.map({ ($0.reference, $0.level) }) else { return [] }
        while level > 0 {
            guard case .children(let children) = try load(reference, level: level).content,
                let index = Bisection.lastIndex(in: children, { $0.firstRowID <= row })
            else { return [] }
            reference = children[index].reference
            level -= 1
        }
        return try pages.rowRanges(reference, schema: schema)
    }
}

extension PageStore {
    /// The rows of the groups of a directory leaf.
    ///
    /// A leaf that is not in the cache does not come into it.
    func rowRanges(
        _ reference: PageReference, schema: ClassSchema
    ) throws(StoreError) -> [RowRange] {
        let node: DirectoryNode? = cachedNode(reference)
        if let node, case .groups(let groups) = node.content {
            return groups.map { RowRange($0) }
        }
        let context = "row group directory of \(schema.name)"
        let raw = try blob(reference, context: context)
        do throws(CodecError) {
            return try RowRange.ranges(of: raw)
        } catch {
            throw damaged(context, reference, error)
        }
    }
}
