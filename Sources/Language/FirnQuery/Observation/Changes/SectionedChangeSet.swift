import FirnValues

/// The difference between two orders of elements that are divided into sections.
///
/// Deletions and modifications are positions in the old sections; insertions are positions in the
/// new ones. The elements of an inserted section are also insertions, and those of a deleted
/// section are also deletions.
package struct SectionedChangeSet: Hashable, Sendable {
    /// The position of an element: its section, and its index in the section.
    package struct ItemPath: Hashable, Comparable, Sendable {
        package let section: Int
        package let item: Int

        package init(section: Int, item: Int) {
            self.section = section
            self.item = item
        }

        package static func < (left: ItemPath, right: ItemPath) -> Bool {
            (left.section, left.item) < (right.section, right.item)
        }
    }

    /// A section: the key of its elements, and their indices in the whole order, ascending.
    package struct Section<Key: Hashable> {
        package let key: Key
        package let positions: [Int]

        package init(key: Key, positions: [Int]) {
            self.key = key
            self.positions = positions
        }
    }

    /// Positions in the old sections, ascending.
    package private(set) var deletions: [ItemPath] = []
    /// Positions in the new sections, ascending.
    package private(set) var insertions: [ItemPath] = []
    /// Positions in the old sections, ascending.
    package private(set) var modifications: [ItemPath] = []
    /// Indices of old sections, ascending.
    package private(set) var deletedSections: [Int] = []
    /// Indices of new sections, ascending.
    package private(set) var insertedSections: [Int] = []

    /// Whether nothing changed.
    package var isEmpty: Bool {
        deletions.isEmpty && insertions.isEmpty && modifications.isEmpty
            && deletedSections.isEmpty && insertedSections.isEmpty
    }

    /// Converts a change to the whole order to a change to its sections.
    ///
    /// A section that moves relative to the others is deleted and inserted with all its elements.
    /// An element that moves to another section is also deleted and inserted.
    ///
    /// - Parameters:
    ///   - old: the sections of the old order. Each element is in one of them.
    ///   - new: the sections of the new order.
    /// - Complexity: O(n) for n elements in both orders
    package init<Key: Hashable>(
        _ changes: ChangeSet, from old: [Section<Key>], to new: [Section<Key>]
    ) {
        let sections = ChangeSet.difference(from: old.map(\.key), to: new.map(\.key))
        deletedSections = sections.deletions
        insertedSections = sections.insertions
        let newSections = Self.sections(new.map(\.positions))
        let retained = changes.retained
        var stays = [Bool](repeating: false, count: newSections.count)
        for (section, content) in old.enumerated() {
            let kept = sections.newIndex(of: section)
            for (item, position) in content.positions.enumerated() {
                let path = ItemPath(section: section, item: item)
                // An element stays if it stays in the whole order and its section is retained.
                guard let kept, let index = retained.newIndex(of: position),
                    newSections[index] == kept
                else {
                    deletions.append(path)
                    continue
                }
                stays[index] = true
                if changes.modifications.containsAscending(position) {
                    modifications.append(path)
                }
            }
        }
        for (section, content) in new.enumerated() {
            for (item, position) in content.positions.enumerated() where !stays[position] {
                insertions.append(ItemPath(section: section, item: item))
            }
        }
    }

    /// Returns the section of each element of the whole order.
    private static func sections(_ positions: [[Int]]) -> [Int] {
        var sections = [Int](repeating: 0, count: positions.reduce(0) { $0 + $1.count })
        for (section, positions) in positions.enumerated() {
            for position in positions { sections[position] = section }
        }
        return sections
    }
}
