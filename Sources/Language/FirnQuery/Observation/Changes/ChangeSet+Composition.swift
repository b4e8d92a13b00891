import FirnValues

extension ChangeSet {
    /// Returns one change set that is equivalent to this one followed by another.
    ///
    /// An element that is inserted and then deleted does not occur in the result. One that is
    /// inserted and then modified is inserted; one that is modified and then deleted is deleted. A
    /// moved element remains a move, wherever it goes next. An element that is deleted and inserted
    /// again without a move counts as two elements.
    ///
    /// - Parameter next: a change set whose old order is the new order of this one.
    /// - Complexity: O(k log k) for k changes in both
    package func followed(by next: ChangeSet) -> ChangeSet {
        if isEmpty { return next }
        if next.isEmpty { return self }
        let first = retained
        let second = next.retained
        let stayed = modifications.filter {
            second.newIndex(of: first.newIndex(staying: $0)) != nil
        }
        let modifiedLater = next.modifications.compactMap { first.oldIndex(of: $0) }
        return ChangeSet(
            deletions: deletions + next.deletions.compactMap { first.oldIndex(of: $0) },
            insertions: next.insertions + insertions.compactMap { second.newIndex(of: $0) },
            modifications: Array(Set(stayed).union(modifiedLater)),
            moves: moves(then: next, first, second))
    }

    private func moves(
        then next: ChangeSet, _ first: RetainedIndices, _ second: RetainedIndices
    ) -> [Move] {
        var result: [Move] = []
        var origins: [Int: Int] = [:]
        for move in moves {
            origins[move.to] = move.from
            // The element stays at the target of this move, or a later move of it is handled below.
            if let to = second.newIndex(of: move.to) {
                result.append(Move(from: move.from, to: to))
            }
        }
        for move in next.moves {
            // An element inserted by this change set has no old index, and is inserted at its final
            // index.
            guard let from = origins[move.from] ?? first.oldIndex(of: move.from) else { continue }
            result.append(Move(from: from, to: move.to))
        }
        return result
    }

    /// Returns one change set that is equivalent to several in sequence.
    ///
    /// - Complexity: O(k log^2 k) for k changes in all of them
    package static func composed(_ changes: [ChangeSet]) -> ChangeSet {
        var level = changes
        // Neighbors are combined first, so that a long change set is not traversed again for each
        // short one.
        while level.count > 1 {
            level = stride(from: 0, to: level.count, by: 2).map { index in
                index + 1 < level.count ? level[index].followed(by: level[index + 1]) : level[index]
            }
        }
        return level.first ?? ChangeSet()
    }
}
