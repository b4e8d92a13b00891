/// How the entries of a map changed, by their keys.
///
/// All arrays ascend by the bytes of the keys; no key is in two of them.
package struct MapChangeSet: Hashable, Sendable {
    /// Keys that only the old map has.
    package let deletions: [String]
    /// Keys that only the new map has.
    package let insertions: [String]
    /// Keys that both have, and whose value was set.
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

    /// The one change that does what this one and then another do.
    ///
    /// A key that was deleted and inserted again is modified.
    ///
    /// - Complexity: O(k log k) for k keys in both
    package func followed(by next: MapChangeSet) -> MapChangeSet {
        let (inserted, deleted) = (Set(insertions), Set(deletions))
        let (nextInserted, nextDeleted) = (Set(next.insertions), Set(next.deletions))
        let modified = Set(modifications).subtracting(nextDeleted)
            .union(Set(next.modifications).subtracting(inserted))
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
