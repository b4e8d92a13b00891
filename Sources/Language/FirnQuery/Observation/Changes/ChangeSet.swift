import FirnValues

/// The difference between two orders of elements: deletions, insertions, modifications and moves.
///
///     old   a b c d        deletions      [1]       b, by its old index
///     new   a x c d        insertions     [1]       x, by its new index
///              ~           modifications  [2]       c, by its old index
///
/// To turn the old order into the new one, first remove the deletions from the last to the first,
/// then add the insertions from the first to the last. A deleted or inserted element is never also
/// modified. An element that changes its position relative to those that stay is both deleted and
/// inserted, and a move connects the two.
package struct ChangeSet: Hashable, Sendable {
    /// An element that was deleted at one index and inserted at another.
    package struct Move: Hashable, Sendable {
        /// An index in the old order, which is one of the deletions.
        package let from: Int
        /// An index in the new order, which is one of the insertions.
        package let to: Int

        package init(from: Int, to: Int) {
            self.from = from
            self.to = to
        }
    }

    /// Indices in the old order, ascending.
    package private(set) var deletions: [Int]
    /// Indices in the new order, ascending.
    package private(set) var insertions: [Int]
    /// Indices in the old order, ascending.
    ///
    /// None of them is a deletion.
    package private(set) var modifications: [Int]
    /// The moves, ascending by their old indices.
    package private(set) var moves: [Move]

    /// Creates a change set.
    ///
    /// All arguments can be in any order.
    ///
    /// - Parameters:
    ///   - deletions: indices in the old order, without duplicates.
    ///   - moves: pairs of a deletion and an insertion.
    package init(
        deletions: [Int] = [], insertions: [Int] = [], modifications: [Int] = [],
        moves: [Move] = []
    ) {
        self.deletions = deletions.sorted()
        self.insertions = insertions.sorted()
        self.modifications = modifications.sorted()
        self.moves = moves.sorted { $0.from < $1.from }
    }

    /// Whether nothing changed.
    package var isEmpty: Bool {
        deletions.isEmpty && insertions.isEmpty && modifications.isEmpty
    }

    /// The indices of modified elements in the new order, parallel to ``modifications``.
    package var modificationsInNew: [Int] {
        let retained = retained
        return modifications.map { retained.newIndex(staying: $0) }
    }

    /// Returns the new index of an element that was neither deleted nor inserted.
    ///
    /// - Returns: `nil` for a deletion.
    /// - Complexity: O(log changes)
    package func newIndex(of old: Int) -> Int? { retained.newIndex(of: old) }

    /// Returns the old index of an element, or `nil` if it was inserted.
    ///
    /// - Complexity: O(log changes)
    package func oldIndex(of new: Int) -> Int? { retained.oldIndex(of: new) }

    var retained: RetainedIndices { RetainedIndices(deletions: deletions, insertions: insertions) }
}
