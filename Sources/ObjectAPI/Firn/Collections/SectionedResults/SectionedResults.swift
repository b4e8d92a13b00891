import FirnValues
public import Foundation

/// Sorted results, grouped into sections of elements with the same key.
///
///     let byInitial = people.sectioned(by: { $0.name.first.map(String.init) ?? "" },
///         sortDescriptors: ["name"])
///     for section in byInitial { print(section.key, section.count) }
///
/// The sections are in the order of their first elements. They are live, like results.
public struct SectionedResults<
    Key: _Persistable & Hashable, SectionElement: RealmCollectionValue
>: RandomAccessCollection, Equatable, ThreadConfined {
    let core: SectionedCore<Key, SectionElement>

    init(_ core: SectionedCore<Key, SectionElement>) { self.core = core }

    /// The keys of the sections, in their order.
    public var allKeys: [Key] { core.sections.keys }

    /// The first position, which is always 0.
    public var startIndex: Int { 0 }

    /// The number of sections.
    public var endIndex: Int { core.sections.keys.count }

    /// Accesses the section at a position, which must exist.
    public subscript(position: Int) -> ResultsSection<Key, SectionElement> {
        let keys = core.sections.keys
        guard keys.indices.contains(position) else { outOfBounds(position, keys.count) }
        return ResultsSection(core, keys[position])
    }

    /// Accesses the element at an index path, which consists of a section and a position in it.
    public subscript(indexPath: IndexPath) -> SectionElement {
        guard indexPath.count == 2 else {
            misuse("an index path needs a section and a position in it: \(indexPath)")
        }
        return self[indexPath[0]][indexPath[1]]
    }

    /// Returns an iterator over the current sections.
    public func makeIterator() -> IndexingIterator<[ResultsSection<Key, SectionElement>]> {
        core.sections.keys.map { ResultsSection(core, $0) }.makeIterator()
    }

    /// The realm of the results.
    public var realm: Realm? { core.results.realm }

    /// A Boolean value that indicates whether the sections can no longer be read.
    ///
    /// The value is `true` if the owner of the objects was deleted or the realm was invalidated.
    public var isInvalidated: Bool { core.results.isInvalidated }

    /// A Boolean value that indicates whether the sections belong to a version that never changes.
    public var isFrozen: Bool { core.results.isFrozen }

    /// Returns frozen sections, which can be used on any thread.
    public func freeze() -> SectionedResults { frozenByMoving() }

    /// Returns the sections in the realm of the current thread.
    ///
    /// The result is `nil` if the owner of the objects was deleted.
    public func thaw() -> SectionedResults? { thawedByMoving() }

    /// Returns the same sections in another realm of the file.
    ///
    /// The result is `nil` if the owner of the objects does not exist there.
    public func _moved(to realm: Realm) -> SectionedResults? {
        core.results._moved(to: realm).map {
            SectionedResults(SectionedCore($0, core.keySource))
        }
    }

    /// Returns a Boolean value that indicates whether both group the same results by the same keys.
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

/// A section of ``SectionedResults``, whose elements share one key.
///
/// The section is live: it contains the elements that currently have the key, and is empty if there
/// are none.
public struct ResultsSection<
    Key: _Persistable & Hashable, SectionElement: RealmCollectionValue
>: RandomAccessCollection, Equatable, Identifiable, ThreadConfined {
    let core: SectionedCore<Key, SectionElement>
    /// The key that the elements share.
    public let key: Key

    init(_ core: SectionedCore<Key, SectionElement>, _ key: Key) {
        self.core = core
        self.key = key
    }

    /// The identity of the section, which is its key.
    public var id: Key { key }

    private var positions: [Int] {
        let sections = core.sections
        return sections.index(of: key).map { sections.positions[$0] } ?? []
    }

    /// The first position, which is always 0.
    public var startIndex: Int { 0 }

    /// The number of elements.
    public var endIndex: Int { positions.count }

    /// Accesses the element at a position, which must exist.
    public subscript(position: Int) -> SectionElement {
        let positions = self.positions
        guard positions.indices.contains(position) else { outOfBounds(position, positions.count) }
        return core.results[positions[position]]
    }

    /// Returns an iterator over the current elements.
    public func makeIterator() -> IndexingIterator<[SectionElement]> {
        let results = core.results
        return positions.map { results[$0] }.makeIterator()
    }

    /// The realm of the results.
    public var realm: Realm? { core.results.realm }

    /// A Boolean value that indicates whether the section can no longer be read.
    ///
    /// The value is `true` if the owner of the objects was deleted or the realm was invalidated.
    public var isInvalidated: Bool { core.results.isInvalidated }

    /// A Boolean value that indicates whether the section belongs to a version that never changes.
    public var isFrozen: Bool { core.results.isFrozen }

    /// Returns a frozen section, which can be used on any thread.
    public func freeze() -> ResultsSection { frozenByMoving() }

    /// Returns the section in the realm of the current thread.
    ///
    /// The result is `nil` if the owner of the objects was deleted.
    public func thaw() -> ResultsSection? { thawedByMoving() }

    /// Returns the same section in another realm of the file.
    ///
    /// The result is `nil` if the owner of the objects does not exist there.
    public func _moved(to realm: Realm) -> ResultsSection? {
        core.results._moved(to: realm).map {
            ResultsSection(SectionedCore($0, core.keySource), key)
        }
    }

    /// Returns a Boolean value that indicates whether both are the same section.
    ///
    /// The sections must belong to the same results.
    public static func == (left: ResultsSection, right: ResultsSection) -> Bool {
        ElementKey(left.key) == ElementKey(right.key)
            && SectionedResults(left.core) == SectionedResults(right.core)
    }
}
