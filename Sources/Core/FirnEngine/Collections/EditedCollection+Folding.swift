import FirnValues

extension EditedCollection {
    /// Returns the edits after which the collection tree holds this collection.
    ///
    /// For a stored base these are only the differences. A base in memory is not in the tree, so
    /// all elements are inserted.
    ///
    /// - Parameters:
    ///   - row: The object.
    ///   - firstRank: The rank of the first element, or the rank at which it is to be inserted.
    /// - Complexity: O(pieces), and O(n) for a base in memory
    func splices(row: RowID, firstRank: UInt64) throws(StoreError) -> [TreeSplice] {
        guard case .stored(let stored) = base else {
            var entries: [TreeEntry] = []
            entries.reserveCapacity(count)
            try forEach(in: 0..<count) { entry throws(StoreError) in
                entries.append(try entry.treeEntry(row: row, path: path))
                return true
            }
            let ranks = firstRank..<firstRank
            return entries.isEmpty ? [] : [TreeSplice(ranks: ranks, entries: entries)]
        }
        var splices: [TreeSplice] = []
        var waiting: [TreeEntry] = []
        // The end of the visited part of the base.
        var end = 0
        func close(upTo start: Int) {
            guard start > end || !waiting.isEmpty else { return }
            splices.append(
                TreeSplice(
                    ranks: (firstRank + UInt64(end))..<(firstRank + UInt64(start)),
                    entries: waiting))
            waiting = []
        }
        try root.forEachPiece { piece throws(StoreError) in
            switch piece {
            case .base(let range):
                close(upTo: range.lowerBound)
                end = range.upperBound
            case .added(let run):
                for entry in run {
                    waiting.append(try entry.treeEntry(row: row, path: path))
                }
            }
        }
        close(upTo: stored.count)
        return splices
    }
}

extension PieceNode {
    /// Visits the pieces in order.
    func forEachPiece(
        _ visit: (Piece) throws(StoreError) -> Void
    ) throws(StoreError) {
        for piece in pieces { try visit(piece) }
        for child in children { try child.forEachPiece(visit) }
    }
}
