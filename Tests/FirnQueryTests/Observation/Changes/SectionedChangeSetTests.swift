import FirnTesting
import Testing

@testable import FirnQuery

@Suite("Changes of sections")
struct SectionedChangeSetTests {
    private typealias Section = SectionedChangeSet.Section<Int>

    /// Elements by their first digit, with sections in the order of their first elements.
    private static func sections(_ order: [Int]) -> [Section] {
        var keys: [Int] = []
        for thing in order where !keys.contains(thing / 10) { keys.append(thing / 10) }
        return keys.map { key in
            Section(key: key, positions: order.indices.filter { order[$0] / 10 == key })
        }
    }

    @Test("Changes applied to the old sections give the new sections, for all small orders")
    func exhaustive() {
        let orders = Orders.distinct(of: [10, 11, 20, 30])
        for old in orders {
            for new in orders {
                let flat = ChangeSet.difference(from: old, to: new) { $0 % 20 == 10 }
                let changes = SectionedChangeSet(
                    flat, from: Self.sections(old), to: Self.sections(new))
                #expect(Self.apply(changes, old, new) == Self.content(new), "\(old) \(new)")
                #expect(changes.isEmpty == flat.isEmpty)
                check(changes, old, new)
            }
        }
    }

    private static func content(_ order: [Int]) -> [[Int]] {
        sections(order).map { $0.positions.map { order[$0] } }
    }

    /// Applies changes like a table view: deletes elements, deletes sections, inserts sections,
    /// inserts elements.
    private static func apply(
        _ changes: SectionedChangeSet, _ old: [Int], _ new: [Int]
    ) -> [[Int]] {
        var content = content(old)
        let target = self.content(new)
        for place in changes.deletions.reversed() {
            content[place.section].remove(at: place.item)
        }
        for section in changes.deletedSections.reversed() { content.remove(at: section) }
        for section in changes.insertedSections { content.insert([], at: section) }
        for place in changes.insertions {
            content[place.section].insert(target[place.section][place.item], at: place.item)
        }
        return content
    }

    private func check(_ changes: SectionedChangeSet, _ old: [Int], _ new: [Int]) {
        for place in changes.modifications {
            #expect(!changes.deletions.contains(place))
            #expect(Self.content(old)[place.section][place.item] % 20 == 10)
        }
        for section in changes.deletedSections {
            let count = Self.content(old)[section].count
            #expect(changes.deletions.filter { $0.section == section }.count == count)
        }
        for section in changes.insertedSections {
            let count = Self.content(new)[section].count
            #expect(changes.insertions.filter { $0.section == section }.count == count)
        }
    }

    @Test(
        "An element that keeps its overall position but changes its section is removed and inserted"
    )
    func otherSection() {
        let changes = SectionedChangeSet(
            ChangeSet(modifications: [1]),
            from: [
                Section(key: 1, positions: [0, 1]), Section(key: 2, positions: [2]),
            ],
            to: [Section(key: 1, positions: [0]), Section(key: 2, positions: [1, 2])])
        #expect(changes.deletions == [.init(section: 0, item: 1)])
        #expect(changes.insertions == [.init(section: 1, item: 0)])
        #expect(changes.modifications.isEmpty)
        #expect(changes.deletedSections.isEmpty && changes.insertedSections.isEmpty)
    }
}
