/// How an order of things that stands in sections became another.
///
/// Deletions and modifications are places in the old sections, insertions in the new ones. The
/// things of a section that came are insertions too, and those of a section that went deletions.
package struct SectionedChangeSet: Hashable, Sendable {
    /// The place of a thing: which section, and which thing of it.
    package struct Place: Hashable, Comparable, Sendable {
        package let section: Int
        package let item: Int

        package init(section: Int, item: Int) {
            self.section = section
            self.item = item
        }

        package static func < (left: Place, right: Place) -> Bool {
            (left.section, left.item) < (right.section, right.item)
        }
    }

    /// A section: what its things have in common, and their indices in the whole order, ascending.
    package struct Section<Key: Hashable> {
        package let key: Key
        package let positions: [Int]

        package init(key: Key, positions: [Int]) {
            self.key = key
            self.positions = positions
        }
    }

    /// In the old sections, ascending.
    package private(set) var deletions: [Place] = []
    /// In the new sections, ascending.
    package private(set) var insertions: [Place] = []
    /// In the old sections, ascending.
    package private(set) var modifications: [Place] = []
    /// Indices among the old sections, ascending.
    package private(set) var deletedSections: [Int] = []
    /// Indices among the new sections, ascending.
    package private(set) var insertedSections: [Int] = []

    /// Whether nothing changed.
    package var isEmpty: Bool {
        deletions.isEmpty && insertions.isEmpty && modifications.isEmpty
            && deletedSections.isEmpty && insertedSections.isEmpty
    }

    /// Says a change of the whole order as one of the sections.
    ///
    /// A section that changed its place among the others goes and comes, with all that is in it; so
    /// does a thing whose section is another now.
    ///
    /// - Parameters:
    ///   - old: the sections of the old order, each thing in one of them.
    ///   - new: those of the new one.
    /// - Complexity: O(n) for n things in both orders
    package init<Key: Hashable>(
        _ changes: ChangeSet, from old: [Section<Key>], to new: [Section<Key>]
    ) {
        let sections = ChangeSet.difference(from: old.map(\.key), to: new.map(\.key))
        deletedSections = sections.deletions
        insertedSections = sections.insertions
        let newSections = Self.sections(new.map(\.positions))
        let places = changes.places
        var stays = [Bool](repeating: false, count: newSections.count)
        for (section, content) in old.enumerated() {
            let kept = sections.newIndex(of: section)
            for (item, position) in content.positions.enumerated() {
                let place = Place(section: section, item: item)
                // A thing stays if it does so in the whole order, and its section does.
                guard let kept, let index = places.newIndex(of: position),
                    newSections[index] == kept
                else {
                    deletions.append(place)
                    continue
                }
                stays[index] = true
                if changes.modifications.containsAscending(position) {
                    modifications.append(place)
                }
            }
        }
        for (section, content) in new.enumerated() {
            for (item, position) in content.positions.enumerated() where !stays[position] {
                insertions.append(Place(section: section, item: item))
            }
        }
    }

    /// The section of each thing of the whole order.
    private static func sections(_ positions: [[Int]]) -> [Int] {
        var sections = [Int](repeating: 0, count: positions.reduce(0) { $0 + $1.count })
        for (section, positions) in positions.enumerated() {
            for position in positions { sections[position] = section }
        }
        return sections
    }
}
