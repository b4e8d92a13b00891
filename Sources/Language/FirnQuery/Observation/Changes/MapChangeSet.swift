import FirnValues

/// The changed entries of a map, by their keys.
///
/// All arrays are ordered by the bytes of the keys. No key is in more than one array.
package struct MapChangeSet: Hashable, Sendable {
    /// The keys that only the old map contains.
    package let deletions: [String]
    /// The keys that only the new map contains.
    package let insertions: [String]
    /// The keys that both maps contain and whose value was set.
    package let modifications: [String]

    package init(
        deletions: [String] = [], insertions: [String] = [], modifications: [String] = []
    ) {
        self.deletions = Self.ordered(deletions)
        self.insertions = Self.ordered(insertions)
        self.modifications = Self.ordered(modifications)
    }

    /// Whether nothing changed.
    package var isEmpty: Bool {
        deletions.isEmpty && insertions.isEmpty && modifications.isEmpty
    }

    /// Returns one change set that is equivalent to this one followed by another.
    ///
    /// A key that is deleted and inserted again is modified.
    ///
    /// - Complexity: O(k log k) for k keys in both
    package func followed(by next: MapChangeSet) -> MapChangeSet {
        let (inserted, deleted) = (TextSet(insertions), TextSet(deletions))
        let (nextInserted, nextDeleted) = (TextSet(next.insertions), TextSet(next.deletions))
        let modified = TextSet(modifications).subtracting(nextDeleted)
            .union(TextSet(next.modifications).subtracting(inserted))
            .union(deleted.intersection(nextInserted))
        return MapChangeSet(
            deletions: Array(
                deleted.subtracting(nextInserted).union(nextDeleted.subtracting(inserted))),
            insertions: Array(
                inserted.subtracting(nextDeleted).union(nextInserted.subtracting(deleted))),
            modifications: Array(modified))
    }

    private static func ordered(_ keys: [String]) -> [String] {
        keys.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    }
}
