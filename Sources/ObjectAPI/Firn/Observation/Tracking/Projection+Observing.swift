public import Dispatch
import FirnQuery
import FirnValues

/// Observing the properties that a projection shows.
///
/// ``ChangeObservable/observe(keyPaths:on:_:)`` describes when and where blocks are called. Unlike
/// there, the block is not called before the first change. Properties that the projection does not
/// show are not reported. The changes carry the names of the observed properties of the projection
/// that are derived from a changed property of the object.
extension ProjectionObservable {
    /// Calls a block when something that the projection shows changes.
    ///
    /// - Parameters:
    ///   - keyPaths: The properties of the projection to observe, by their names in the projection.
    ///     If `nil`, all properties are observed. If empty, only the deletion of the object is
    ///     reported. The program stops if a property does not exist, also if it is only a property
    ///     of the object.
    ///   - queue: The serial queue that runs the block. The block receives a projection of the
    ///     object in a realm of that queue. If `nil`, the block runs where the realm is used.
    ///   - block: A closure that receives each change.
    /// - Returns: A token. The block is called as long as the token is retained.
    public func observe(
        keyPaths: [String]? = nil, on queue: DispatchQueue? = nil,
        _ block: @escaping (ObjectChange<Self>) -> Void
    ) -> NotificationToken {
        observing(on: queue, block, tracker(observed(keyPaths)))
    }

    /// Calls a block when something that the projection shows changes.
    ///
    /// - Parameters:
    ///   - keyPaths: The properties of the projection to observe.
    ///   - queue: The serial queue that runs the block. If `nil`, the block runs where the realm is
    ///     used.
    ///   - block: A closure that receives each change.
    /// - Returns: A token. The block is called as long as the token is retained.
    public func observe(
        keyPaths: [PartialKeyPath<Self>], on queue: DispatchQueue? = nil,
        _ block: @escaping (ObjectChange<Self>) -> Void
    ) -> NotificationToken {
        observing(on: queue, block, tracker(observed(keyPaths)))
    }

    /// Calls a block on an actor when something that the projection shows changes.
    ///
    /// - Parameters:
    ///   - keyPaths: The properties to observe, as in ``observe(keyPaths:on:_:)``.
    ///   - actor: The actor that runs the block. The block receives a projection of the object in a
    ///     realm of that actor.
    ///   - block: A closure that receives each change.
    /// - Returns: A token. The block is called as long as the token is retained.
    public nonisolated(nonsending) func observe<Owner: Actor>(
        keyPaths: [String]? = nil, on actor: Owner,
        _ block: @escaping @Sendable (isolated Owner, ObjectChange<Self>) -> Void
    ) async -> NotificationToken {
        await observing(on: actor, block, tracker(observed(keyPaths))).begun(on: actor)
    }

    /// Calls a block on an actor when something that the projection shows changes.
    ///
    /// - Parameters:
    ///   - keyPaths: The properties of the projection to observe.
    ///   - actor: The actor that runs the block. The block receives a projection of the object in a
    ///     realm of that actor.
    ///   - block: A closure that receives each change.
    /// - Returns: A token. The block is called as long as the token is retained.
    public nonisolated(nonsending) func observe<Owner: Actor>(
        keyPaths: [PartialKeyPath<Self>], on actor: Owner,
        _ block: @escaping @Sendable (isolated Owner, ObjectChange<Self>) -> Void
    ) async -> NotificationToken {
        await observing(on: actor, block, tracker(observed(keyPaths))).begun(on: actor)
    }

    /// Returns an asynchronous sequence of changes until the object is deleted.
    ///
    /// - Parameter keyPaths: The properties to observe, as in ``observe(keyPaths:on:_:)``.
    public func changes(keyPaths: [String]? = nil) -> ObservedChanges<ObjectChange<Self>> {
        observedChanges(tracker(observed(keyPaths)))
    }

    /// Returns an asynchronous sequence of changes until the object is deleted.
    ///
    /// - Parameter keyPaths: The properties of the projection to observe.
    public func changes(
        keyPaths: [PartialKeyPath<Self>]
    ) -> ObservedChanges<ObjectChange<Self>> {
        observedChanges(tracker(observed(keyPaths)))
    }

    // MARK: Projected properties

    private var shown: [ProjectionLayout.Property] { ProjectionLayout.of(self).properties }

    /// Returns the properties of the projection that key paths observe.
    private func observed(_ keyPaths: [String]?) -> [ProjectionLayout.Property] {
        guard let keyPaths else { return shown }
        return shown(of: keyPaths) { keyPath in
            let found = shown.filter { $0.label == keyPath }
            guard !found.isEmpty else {
                misuse(
                    "\(Self.self) shows nothing at the key path \"\(keyPath)\": it has "
                        + shown.map(\.label).joined(separator: ", "))
            }
            return found
        }
    }

    private func observed(_ keyPaths: [PartialKeyPath<Self>]) -> [ProjectionLayout.Property] {
        shown(of: keyPaths) { keyPath in
            let origins = KeyPathNames.origins(of: keyPath)
            let found = shown.filter { $0.origins == origins }
            guard !found.isEmpty else {
                misuse("\(keyPath) is not a property of \(Self.self) with @Projected")
            }
            return found
        }
    }

    /// Returns the properties of key paths, each once and in the order of their declarations.
    private func shown<Name>(
        of keyPaths: [Name], _ find: (Name) -> [ProjectionLayout.Property]
    ) -> [ProjectionLayout.Property] {
        let labels = Set(keyPaths.flatMap(find).map(\.label))
        return shown.filter { labels.contains($0.label) }
    }

    private func tracker(
        _ observed: [ProjectionLayout.Property]
    ) -> TrackerMaker<Self, ObjectChange<Self>> {
        let instance = observableInstance()
        let labels = TextSet(observed.map(\.label))
        let paths = ObservedPaths(
            observed.flatMap(\.observedOrigins), of: rootObject.access?.binding.schema,
            in: instance.snapshot.schema,
            otherwise: .own)
        return { source, there, position in
            ObjectTracker(source.rootObject, in: there, at: position, observing: paths) { written in
                guard let root = written.object as? Root else { return nil }
                let projection = Self(projecting: root)
                let changes = ProjectionLayout.of(projection).changes(
                    of: TextSet(written.names), shownAs: labels, root, since: written.old)
                return changes.isEmpty ? nil : .change(projection, changes)
            }
        }
    }
}

extension ProjectionLayout {
    /// Returns the changes to the projected properties that show one of the named properties.
    ///
    /// - Parameter labels: The observed properties of the projection.
    fileprivate func changes(
        of names: TextSet, shownAs labels: TextSet, _ root: ObjectBase,
        since old: ObjectBase?
    ) -> [PropertyChange] {
        properties.filter { labels.contains($0.label) }.compactMap { property in
            let roots = property.origins.map { String($0.prefix { $0 != "." }) }
            guard let name = roots.first(where: { names.contains($0) }) else { return nil }
            let value = property.projected._value(of: root)
            guard !root.isList(name) else {
                return PropertyChange(
                    name: property.label, oldValue: nil, newValue: KeyPathNames.unwrapped(value))
            }
            // A property without a value of its own shows the current one.
            let before = old.map { root.isSingle(name) ? property.projected._value(of: $0) : value }
            return PropertyChange(
                name: property.label, oldValue: before.flatMap { KeyPathNames.unwrapped($0) },
                newValue: KeyPathNames.unwrapped(value))
        }
    }
}

/// The reported positions are the positions of the objects.
extension ProjectedCollection: ChangeObservable {
    /// The type of the changes that the block receives.
    public typealias ObservedChange = RealmCollectionChange<Self>
    /// Key paths name properties of the objects, and only as strings.
    public typealias ObservedElement = Never

    /// Returns a factory of the trackers that find the changes.
    public func _tracking(_ keyPaths: [String]?) -> _ChangeTracking<Self> {
        let paths = elements.core?.observed(keyPaths ?? elements.origins) ?? .own
        return _ChangeTracking { source, there, _ in
            ElementsTracker(
                source, in: there, observing: paths, core: { $0.elements.core },
                move: { value, instance in value._moved(to: Realm(instance)) }, report: .positions)
        }
    }
}
