import FirnEngine
import FirnQuery
import FirnValues
import Foundation

/// A tracker of sections: all of them, or the one with a key.
///
/// The sections are computed again after every commit, because the objects that the key block reads
/// are not known.
final class SectionsTracker<
    Key: _Persistable & Hashable, Element: RealmCollectionValue, Value
>: Tracker<SectionedResultsChange<Value>> {
    private typealias Section = SectionedChangeSet.Section<Key>

    private var core: SectionedCore<Key, Element>
    private let paths: ObservedPaths
    /// The key of the only observed section, or `nil` for all sections.
    private let key: Key?
    /// Returns the value that blocks receive.
    private let value: (SectionedCore<Key, Element>) -> Value
    private var live: (any LiveElements)?
    private var sections: [Section] = []

    init(
        _ source: SectionedCore<Key, Element>, _ key: Key?, in instance: RealmInstance,
        observing paths: ObservedPaths, value: @escaping (SectionedCore<Key, Element>) -> Value
    ) {
        core = source.results.core.instance === instance ? source : source.placed(in: instance)
        self.key = key
        self.paths = paths
        self.value = value
        super.init(instance)
    }

    override func start(
        on snapshot: DatabaseSnapshot
    ) throws(StoreError) -> SectionedResultsChange<Value>? {
        guard try core.results.core.findIsValid() else {
            isOver = true
            return nil
        }
        live = try core.results.core.live(paths, on: snapshot)
        sections = currentSections()
        return .initial(value(core))
    }

    override func advance(
        _ step: ObservedStep
    ) throws(StoreError) -> SectionedResultsChange<Value>? {
        guard !step.changes.isEmpty else { return nil }
        let elements = try live?.advance(step)?.set ?? ChangeSet()
        let before = sections
        if step.changes.deletesObjects, try !core.results.core.findIsValid() {
            isOver = true
            sections = []
        } else {
            sections = currentSections()
        }
        let changes = SectionedChangeSet(elements, from: before, to: sections)
        let old = key.map { key in before.firstIndex { $0.key == key } }
        let new = key.map { key in sections.firstIndex { $0.key == key } }
        return update(SectionedUpdate(changes, old: old, new: new))
    }

    private func currentSections() -> [Section] {
        let found = core.sections
        return zip(found.keys, found.positions).map { Section(key: $0, positions: $1) }
    }

    private func update(_ update: SectionedUpdate) -> SectionedResultsChange<Value>? {
        guard !update.isEmpty else { return nil }
        return .update(
            value(core), deletions: update.deletions, insertions: update.insertions,
            modifications: update.modifications, sectionsToInsert: update.insertedSections,
            sectionsToDelete: update.deletedSections)
    }

    override func renew() { core = core.placed(in: instance) }
}

/// A change to sections in the types of Foundation.
private struct SectionedUpdate {
    let deletions: [IndexPath]
    let insertions: [IndexPath]
    let modifications: [IndexPath]
    let insertedSections: IndexSet
    let deletedSections: IndexSet

    /// - Parameters:
    ///   - old: The previous position of the only observed section: `nil` if all sections are
    ///     observed, `.some(nil)` if the section did not exist.
    ///   - new: The current position of that section, in the same form.
    init(_ changes: SectionedChangeSet, old: Int??, new: Int??) {
        func counts(_ section: Int, _ only: Int??) -> Bool {
            guard let only else { return true }
            return only == section
        }
        func indexPath(_ path: SectionedChangeSet.ItemPath) -> IndexPath {
            IndexPath(indexes: [path.section, path.item])
        }
        deletions = changes.deletions.filter { counts($0.section, old) }.map(indexPath)
        insertions = changes.insertions.filter { counts($0.section, new) }.map(indexPath)
        modifications = changes.modifications.filter { counts($0.section, old) }.map(indexPath)
        insertedSections = IndexSet(changes.insertedSections.filter { counts($0, new) })
        deletedSections = IndexSet(changes.deletedSections.filter { counts($0, old) })
    }

    var isEmpty: Bool {
        deletions.isEmpty && insertions.isEmpty && modifications.isEmpty
            && insertedSections.isEmpty && deletedSections.isEmpty
    }
}

extension SectionedCore {
    /// Returns the same sections in another realm of the file.
    func placed(in instance: RealmInstance) -> SectionedCore {
        SectionedCore(Results(results.core.moved(to: instance)), keySource)
    }
}
