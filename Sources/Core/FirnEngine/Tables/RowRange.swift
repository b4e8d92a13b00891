import FirnCodec
import FirnValues

/// The rows of one row group of the root, without its columns.
///
/// It is the only part of a directory leaf that is needed to apply changes to its groups.
struct RowRange: Hashable, Sendable {
    let firstRowID: RowID
    let rowCount: Int
    /// Whether every row exists and is at the index that its identity implies.
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

    /// Returns the groups of a leaf.
    ///
    /// Their columns are only skipped, which takes half as long as validating them. A reader of a
    /// column decodes the whole leaf and detects any damage.
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
    /// Returns the groups of the leaf that may contain a row id, or none if all groups begin after
    /// it.
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
    /// Returns the rows of the groups of a directory leaf.
    ///
    /// A leaf that is not in the cache is not added to it.
    func rowRanges(
        _ reference: PageReference, schema: ClassSchema
    ) throws(StoreError) -> [RowRange] {
        let node: DirectoryNode? = cachedNode(reference)
        if let node, case .groups(let groups) = node.content {
            return groups.map { RowRange($0) }
        }
        let context = "row group directory of \(schema.name)"
        let raw = try blob(reference, context: context)
        return try decoding(RowRange.ranges(of: raw)) { damaged(context, reference, $0) }
    }
}
