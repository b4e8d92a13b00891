public import Dispatch
import FirnEngine
import FirnQuery
import FirnValues

/// Observing a collection together with its previous elements.
extension RealmCollection {
    /// Calls a block when the collection changes, with the removed and replaced elements.
    ///
    ///     token = jobs.observeDeltas { change in
    ///         guard case .update(_, let delta) = change else { return }
    ///         for deletion in delta.deletions { log(deletion.element.id, deletion.reason) }
    ///     }
    ///
    /// - Parameters:
    ///   - keyPaths: The properties to observe, as in ``ChangeObservable/observe(keyPaths:on:_:)``.
    ///   - queue: The serial queue that runs the block. If `nil`, the block runs where the realm is
    ///     used.
    ///   - block: A closure that receives each change.
    /// - Returns: A token. The block is called as long as the token is retained.
    /// - Complexity: That of `observe`, plus O(1) for each reported element.
    public func observeDeltas(
        keyPaths: [String]? = nil, on queue: DispatchQueue? = nil,
        _ block: @escaping (DetailedCollectionChange<Self>) -> Void
    ) -> NotificationToken {
        observing(on: queue, block, deltaTracker(keyPaths))
    }

    /// Calls a block on an actor when the collection changes.
    ///
    /// The block also receives the removed and replaced elements.
    ///
    /// - Parameters:
    ///   - keyPaths: The properties to observe, as in ``ChangeObservable/observe(keyPaths:on:_:)``.
    ///   - actor: The actor that runs the block. The block receives the collection in a realm of
    ///     that actor.
    ///   - block: A closure that receives each change.
    /// - Returns: A token. The block is called as long as the token is retained.
    public nonisolated(nonsending) func observeDeltas<Owner: Actor>(
        keyPaths: [String]? = nil, on actor: Owner,
        _ block: @escaping @Sendable (isolated Owner, DetailedCollectionChange<Self>) -> Void
    ) async -> NotificationToken {
        await observing(on: actor, block, deltaTracker(keyPaths)).begun(on: actor)
    }

    /// Returns an asynchronous sequence of the changes, with the removed and replaced elements.
    ///
    ///     for await change in jobs.deltas() { ... }
    ///
    /// - Parameter keyPaths: The properties to observe, as in
    ///   ``ChangeObservable/observe(keyPaths:on:_:)``.
    public func deltas(
        keyPaths: [String]? = nil
    ) -> ObservedChanges<DetailedCollectionChange<Self>> {
        observedChanges(deltaTracker(keyPaths))
    }

    private func deltaTracker(
        _ keyPaths: [String]?
    ) -> TrackerMaker<Self, DetailedCollectionChange<Self>> {
        _ = observableInstance()
        return tracking(keyPaths, .deltas)
    }
}

extension ElementsTracker.Report
where Value: RealmCollection, Change == DetailedCollectionChange<Value> {
    /// A report of the elements.
    fileprivate static var deltas: Self {
        Self(
            initial: { .initial($0) },
            update: { value, changes, step in
                guard let core = value._core else {
                    misuse("an unmanaged collection has no changes")
                }
                let before = PastElements<Value>(core, step)
                return .update(value, before.delta(changes))
            },
            error: { .error(Realm.Error($0)) })
    }
}

/// The elements of a collection in the version that the observer last saw.
private struct PastElements<Collection: RealmCollection> {
    private typealias Delta = CollectionDelta<Collection.Element>

    private let core: _CollectionCore

    init(_ core: _CollectionCore, _ step: ObservedStep) {
        self.core = core.moved(to: core.instance.file.frozen(step.old))
    }

    func delta(_ changes: ElementsChange) -> CollectionDelta<Collection.Element> {
        let set = changes.set
        let departed = Set(set.moves.map(\.from))
        let arrived = Set(set.moves.map(\.to))
        let deletions = set.deletions.enumerated().map { offset, index in
            let object = changes.objects?.deleted[offset]
            let reason: RemovedElement =
                departed.contains(index) ? .moved : object?.isGone == true ? .deleted : .left
            return Delta.Deletion(
                index: index, element: element(index, object?.row), reason: reason)
        }
        let insertions = set.insertions.enumerated().map { offset, index in
            let isNew = changes.objects?.inserted[offset].isNew == true
            let reason: InsertedElement =
                arrived.contains(index) ? .moved : isNew ? .created : .entered
            return Delta.Insertion(index: index, reason: reason)
        }
        let newIndices = set.modificationsInNew
        let modifications = set.modifications.enumerated().map { offset, index in
            Delta.Modification(
                oldIndex: index, newIndex: newIndices[offset],
                oldElement: element(index, changes.objects?.modified[offset].row))
        }
        return CollectionDelta(
            deletions: deletions, insertions: insertions, modifications: modifications)
    }

    /// - Parameter row: The row of an object, which avoids evaluating the query in the old version.
    private func element(_ index: Int, _ row: RowID?) -> Collection.Element {
        let stored =
            row.flatMap { row in
                core.elementClass.map {
                    _StoredValue(.link(ObjectReference(classID: $0.id, rowID: row)))
                }
            } ?? core.stored(index)
        return Collection.Element._decode(stored, in: core.reference(at: index))
    }
}
