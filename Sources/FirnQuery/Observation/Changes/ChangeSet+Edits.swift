package import FirnEngine

extension ChangeSet {
    /// What edits of a list do, one after the other.
    ///
    /// What is put in the place of an element modifies it; what is moved is deleted and inserted.
    ///
    /// - Parameter count: of the elements before the edits.
    /// - Returns: `nil` if the edits are not those of a list of so many elements.
    /// - Complexity: O(k log^2 k) for k edits; each removal of all elements counts as many
    package init?(_ edits: [CollectionEdit], ofListOf count: Int) {
        var count = count
        var steps: [ChangeSet] = []
        for edit in edits {
            guard let step = ChangeSet(edit, ofListOf: count) else { return nil }
            count += step.insertions.count - step.deletions.count
            if !step.isEmpty { steps.append(step) }
        }
        self = ChangeSet.composed(steps)
    }

    private init?(_ edit: CollectionEdit, ofListOf count: Int) {
        switch edit {
        case .append: self.init(insertions: [count])
        case .insert(let index, _):
            guard (0...count).contains(index) else { return nil }
            self.init(insertions: [index])
        case .replace(let index, _):
            guard (0..<count).contains(index) else { return nil }
            self.init(modifications: [index])
        case .remove(let index):
            guard (0..<count).contains(index) else { return nil }
            self.init(deletions: [index])
        case .move(let source, let target):
            guard (0..<count).contains(source), (0..<count).contains(target) else { return nil }
            guard source != target else {
                self.init()
                return
            }
            self.init(
                deletions: [source], insertions: [target],
                moves: [Move(from: source, to: target)])
        case .clear: self.init(deletions: Array(0..<count))
        case .add, .discard, .put, .drop: return nil
        }
    }

    /// The same with more modifications.
    ///
    /// - Parameter more: indices in the old order; those that were deleted are left out.
    func modifying(_ more: [Int]) -> ChangeSet {
        let places = places
        let stays = more.filter { places.newIndex(of: $0) != nil }
        return ChangeSet(
            deletions: deletions, insertions: insertions,
            modifications: Array(Set(modifications).union(stays)), moves: moves)
    }

    /// The same with only those moves that something holds for; the others go and come.
    func keepingMoves(_ isSame: (_ old: Int, _ new: Int) -> Bool) -> ChangeSet {
        ChangeSet(
            deletions: deletions, insertions: insertions, modifications: modifications,
            moves: moves.filter { isSame($0.from, $0.to) })
    }

    /// The same without modifications: some of them become deletions and insertions.
    ///
    /// - Parameter isOther: whether something else is in the place of an element.
    func replacing(_ isOther: (_ old: Int, _ new: Int) -> Bool) -> ChangeSet {
        let others = zip(modifications, modificationsInNew).filter { isOther($0, $1) }
        return ChangeSet(
            deletions: deletions + others.map(\.0), insertions: insertions + others.map(\.1),
            moves: moves)
    }
}
