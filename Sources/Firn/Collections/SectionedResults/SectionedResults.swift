public import Foundation

/// Sorted results in sections: neighbours with the same key belong together.
///
///     let byInitial = people.sectioned(by: { $0.name.first.map(String.init) ?? "" },
///         sortDescriptors: ["name"])
///     for section in byInitial { print(section.key, section.count) }
///
/// The sections stand in the order of their first elements. They are live, as results are.
public struct SectionedResults<
    Key: _Persistable & Hashable, SectionElement: RealmCollectionValue
>: RandomAccessCollection, Equatable, ThreadConfined {
    let core: SectionedCore<Key, SectionElement>

    init(_ core: SectionedCore<Key, SectionElement>) { self.core = core }

    /// The keys of the sections, in their order.
    public var allKeys: [Key] { core.sections.keys }

    /// Always 0.
    public var startIndex: Int { 0 }

    /// The number of sections.
    public var endIndex: Int { core.sections.keys.count }

    /// The section at a position; the program stops if there is none.
    public subscript(position: Int) -> ResultsSection<Key, SectionElement> {
        let keys = core.sections.keys
        guard keys.indices.contains(position) else { outOfBounds(position, keys.count) }
        return ResultsSection(core, keys[position])
    }

    /// The element at a position of a section: a path of the section and the position in it.
    public subscript(indexPath: IndexPath) -> SectionElement {
        guard indexPath.count == 2 else {
            misuse("an index path needs a section and a position in it: \(indexPath)")
        }
        return self[indexPath[0]][indexPath[1]]
    }

    /// Goes through the sections that are there now.
    public func makeIterator() -> IndexingIterator<[ResultsSection<Key, SectionElement>]> {
        core.sections.keys.map { ResultsSection(core, $0) }.makeIterator()
    }

    /// The realm.
    public var realm: Realm? { core.results.realm }

    /// Whether the owner of the objects was deleted, or the realm was invalidated.
    public var isInvalidated: Bool { core.results.isInvalidated }

    /// Whether it is of a version that never changes.
    public var isFrozen: Bool { core.results.isFrozen }

    /// The sections as now, for ever, for use everywhere.
    public func freeze() -> SectionedResults { frozenByMoving() }

    /// The sections of the realm of this thread; `nil` if the owner of the objects was deleted.
    public func thaw() -> SectionedResults? { thawedByMoving() }

    /// The same in another realm of the file; `nil` if the owner of the objects is not there.
    public func _moved(to realm: Realm) -> SectionedResults? {
        core.results._moved(to: realm).map {
            SectionedResults(SectionedCore($0, core.keySource))
        }
    }

    /// Whether both are sections of the same results by the same keys.
    public static func == (left: SectionedResults, right: SectionedResults) -> Bool {
        if left.core === right.core { return true }
        guard left.core.results == right.core.results else { return false }
        switch (left.core.keySource, right.core.keySource) {
        case (.property(let first), .property(let second)): return first == second
        case (.keyPath(let first), .keyPath(let second)): return first == second
        case (.property, _), (.keyPath, _), (.block, _): return false
        }
    }
}

/// The neighbours with one key of ``SectionedResults``.
///
/// It is live: it has the elements that have the key now, none if there are none any more.
public struct ResultsSection<
    Key: _Persistable & Hashable, SectionElement: RealmCollectionValue
>: RandomAccessCollection, Equatable, Identifiable, ThreadConfined {
    let core: SectionedCore<Key, SectionElement>
    /// What the elements have in common.
    public let key: Key

    init(_ core: SectionedCore<Key, SectionElement>, _ key: Key) {
        self.core = core
        self.key = key
    }

    /// The key.
    public var id: Key { key }

    private var positions: [Int] {
        let sections = core.sections
        return sections.place(of: key).map { sections.positions[$0] } ?? []
    }

    /// Always 0.
    public var startIndex: Int { 0 }

    /// The number of elements.
    public var endIndex: Int { positions.count }

    /// The element at a position; the program stops if there is none.
    public subscript(position: Int) -> SectionElement {
        let positions = self.positions
        guard positions.indices.contains(position) else { outOfBounds(position, positions.count) }
        return core.results[positions[position]]
    }

    /// Goes through the elements that are there now.
    public func makeIterator() -> IndexingIterator<[SectionElement]> {
        let results = core.results
        return positions.map { results[$0] }.makeIterator()
    }

    /// The realm.
    public var realm: Realm? { core.results.realm }

    /// Whether the owner of the objects was deleted, or the realm was invalidated.
    public var isInvalidated: Bool { core.results.isInvalidated }

    /// Whether it is of a version that never changes.
    public var isFrozen: Bool { core.results.isFrozen }

    /// The section as now, for ever, for use everywhere.
    public func freeze() -> ResultsSection { frozenByMoving() }

    /// The section of the realm of this thread; `nil` if the owner of the objects was deleted.
    public func thaw() -> ResultsSection? { thawedByMoving() }

    /// The same in another realm of the file; `nil` if the owner of the objects is not there.
    public func _moved(to realm: Realm) -> ResultsSection? {
        core.results._moved(to: realm).map {
            ResultsSection(SectionedCore($0, core.keySource), key)
        }
    }

    /// Whether both are the same section of the same results.
    public static func == (left: ResultsSection, right: ResultsSection) -> Bool {
        left.key == right.key && SectionedResults(left.core) == SectionedResults(right.core)
    }
}
