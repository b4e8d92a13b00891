package import FirnEngine
import FirnValues

extension ChangeSet {
    /// Creates the change set of a sequence of list edits.
    ///
    /// Replacing an element modifies it. Moving an element deletes and inserts it.
    ///
    /// - Parameter count: the number of elements before the edits.
    /// - Returns: `nil` if the edits do not apply to a list of `count` elements.
    /// - Complexity: O(k log^2 k) for k edits, where a removal of all elements counts as one edit
    ///   per element
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

    /// Returns this change set with additional modifications.
    ///
    /// - Parameter more: indices in the old order. Deleted elements are ignored.
    func modifying(_ more: [Int]) -> ChangeSet {
        let retained = retained
        let stays = more.filter { retained.newIndex(of: $0) != nil }
        return ChangeSet(
            deletions: deletions, insertions: insertions,
            modifications: Array(Set(modifications).union(stays)), moves: moves)
    }

    /// Returns this change set with only the moves that satisfy a predicate.
    ///
    /// The elements of other moves remain deletions and insertions.
    func keepingMoves(_ isSame: (_ old: Int, _ new: Int) -> Bool) -> ChangeSet {
        ChangeSet(
            deletions: deletions, insertions: insertions, modifications: modifications,
            moves: moves.filter { isSame($0.from, $0.to) })
    }

    /// Returns this change set without modifications.
    ///
    /// Modifications that satisfy a predicate become a deletion and an insertion. Others are
    /// dropped.
    ///
    /// - Parameter isOther: returns whether the element was replaced by another.
    func replacing(_ isOther: (_ old: Int, _ new: Int) -> Bool) -> ChangeSet {
        let others = zip(modifications, modificationsInNew).filter { isOther($0, $1) }
        return ChangeSet(
            deletions: deletions + others.map(\.0), insertions: insertions + others.map(\.1),
            moves: moves)
    }
}
