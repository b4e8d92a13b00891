import FirnValues

extension ChangeSet {
    /// The same change, except that a deleted element and another element inserted in its place
    /// become a modification.
    ///
    /// A comparison of values cannot tell whether an element was replaced. Between the same two elements
    /// that stay, the deletions and insertions are paired in their order; those of moves stay as they are.
    ///
    /// - Complexity: O(changes)
    package var pairingReplacements: ChangeSet {
        let moved = Set(moves.map(\.from))
        let arrived = Set(moves.map(\.to))
        // The number of elements that stay in front of each of them.
        let gaps = insertions.enumerated().map { $1 - $0 }
        var deleted: [Int] = []
        var modified = modifications
        var isPaired = [Bool](repeating: false, count: insertions.count)
        var next = 0
        for (number, deletion) in deletions.enumerated() {
            let gap = deletion - number
            while next < insertions.count,
                gaps[next] < gap || gaps[next] == gap && arrived.contains(insertions[next])
            {
                next += 1
            }
            if next < insertions.count, gaps[next] == gap, !moved.contains(deletion) {
                modified.append(deletion)
                isPaired[next] = true
                next += 1
            } else {
                deleted.append(deletion)
            }
        }
        let inserted = zip(insertions, isPaired).filter { !$0.1 }.map(\.0)
        return ChangeSet(
            deletions: deleted, insertions: inserted, modifications: modified, moves: moves)
    }
}
