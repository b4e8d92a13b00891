extension ChangeSet {
    /// The one change that does what this one and then another do.
    ///
    /// What was inserted and then deleted was never there; what was inserted and then modified is
    /// inserted; what was modified and then deleted is deleted. What moved stays a move, wherever it
    /// went next. What was deleted and inserted again without a move is two things.
    ///
    /// - Parameter next: its old order is the new order of this one.
    /// - Complexity: O(k log k) for k changes in both
    package func followed(by next: ChangeSet) -> ChangeSet {
        if isEmpty { return next }
        if next.isEmpty { return self }
        let first = places
        let second = next.places
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
            // It stays where this change put it, or the next one takes it up again below.
            if let to = second.newIndex(of: move.to) {
                result.append(Move(from: move.from, to: to))
            }
        }
        for move in next.moves {
            // What this change inserted has no origin, and is inserted where it is now.
            guard let from = origins[move.from] ?? first.oldIndex(of: move.from) else { continue }
            result.append(Move(from: from, to: move.to))
        }
        return result
    }

    /// The one change that does what many do, one after the other.
    ///
    /// - Complexity: O(k log^2 k) for k changes in all of them
    package static func composed(_ changes: [ChangeSet]) -> ChangeSet {
        var level = changes
        // Neighbours first: a long change is not walked again for each short one.
        while level.count > 1 {
            level = stride(from: 0, to: level.count, by: 2).map { index in
                index + 1 < level.count ? level[index].followed(by: level[index + 1]) : level[index]
            }
        }
        return level.first ?? ChangeSet()
    }
}
