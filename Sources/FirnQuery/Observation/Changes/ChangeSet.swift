/// How one order of things became another: which left it, which came, and which are different now.
///
///     old   a b c d        deletions      [1]       b, by its old index
///     new   a x c d        insertions     [1]       x, by its new index
///              ~           modifications  [2]       c, by its old index
///
/// Whoever has the old order makes the new one of it by removing the deletions from the last to the
/// first, and then putting in the insertions from the first to the last. What was deleted or
/// inserted is never modified. A thing that changed its place among those that stay is deleted and
/// inserted, and a move says that the two are one.
package struct ChangeSet: Hashable, Sendable {
    /// A thing that was deleted here and inserted there.
    package struct Move: Hashable, Sendable {
        /// An index in the old order; it is among the deletions.
        package let from: Int
        /// An index in the new order; it is among the insertions.
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
    /// Indices in the old order, ascending; none of them is a deletion.
    package private(set) var modifications: [Int]
    /// Ascending by their old indices.
    package private(set) var moves: [Move]

    /// - Parameters:
    ///   - deletions: indices in the old order, in any order, none twice; so are the others.
    ///   - moves: each of a deletion and an insertion.
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

    /// The indices that the modified things have in the new order, parallel to ``modifications``.
    package var modificationsInNew: [Int] {
        let places = places
        return modifications.map { places.newIndex(staying: $0) }
    }

    /// Where a thing that was neither deleted nor inserted is in the new order.
    ///
    /// - Returns: `nil` for a deletion.
    /// - Complexity: O(log changes)
    package func newIndex(of old: Int) -> Int? { places.newIndex(of: old) }

    /// Where a thing that was neither deleted nor inserted was in the old order.
    ///
    /// - Returns: `nil` for an insertion.
    /// - Complexity: O(log changes)
    package func oldIndex(of new: Int) -> Int? { places.oldIndex(of: new) }

    var places: RetainedIndices { RetainedIndices(deletions: deletions, insertions: insertions) }
}
