public import Dispatch
import FirnQuery

/// Being told how what a projection shows changes.
///
/// When and where blocks are called is said at ``ChangeObservable/observe(keyPaths:on:_:)``; only that
/// they are not called before something happens. Nothing is told of properties that the projection does
/// not show. The changes have the names of the properties of the projection: those that are observed and
/// show something of a property of the object that changed.
extension ProjectionObservable {
    /// Calls a block when something that the projection shows changes.
    ///
    /// - Parameters:
    ///   - keyPaths: which properties of the projection are observed, by their names or by the key paths
    ///     of what they show. `nil`: all. None: only the end of the object. The program stops for
    ///     one that there is not.
    ///   - queue: the serial queue that runs the block, with the projection of an object of a realm of
    ///     that queue; `nil`: where the realm is used.
    ///   - block: gets each change.
    /// - Returns: a token; the block is called as long as somebody holds it.
    public func observe(
        keyPaths: [String]? = nil, on queue: DispatchQueue? = nil,
        _ block: @escaping (ObjectChange<Self>) -> Void
    ) -> NotificationToken {
        observing(on: queue, block, tracker(observed(keyPaths)))
    }

    /// Calls a block when something that the projection shows changes.
    ///
    /// - Parameters:
    ///   - keyPaths: of properties of the projection.
    ///   - queue: the serial queue that runs the block; `nil`: where the realm is used.
    ///   - block: gets each change.
    /// - Returns: a token; the block is called as long as somebody holds it.
    public func observe(
        keyPaths: [PartialKeyPath<Self>], on queue: DispatchQueue? = nil,
        _ block: @escaping (ObjectChange<Self>) -> Void
    ) -> NotificationToken {
        observing(on: queue, block, tracker(observed(keyPaths)))
    }

    /// Calls a block of an actor when something that the projection shows changes.
    ///
    /// - Parameters:
    ///   - keyPaths: as in ``observe(keyPaths:on:_:)``.
    ///   - actor: runs the block, with the projection of an object of a realm of that actor.
    ///   - block: gets each change.
    /// - Returns: a token; the block is called as long as somebody holds it.
    public func observe<Owner: Actor>(
        keyPaths: [String]? = nil, on actor: Owner,
        _isolation isolation: isolated (any Actor)? = #isolation,
        _ block: @escaping @Sendable (isolated Owner, ObjectChange<Self>) -> Void
    ) async -> NotificationToken {
        await observing(on: actor, block, tracker(observed(keyPaths))).begun(on: actor)
    }

    /// Calls a block of an actor when something that the projection shows changes.
    ///
    /// - Parameters:
    ///   - keyPaths: of properties of the projection.
    ///   - actor: runs the block, with the projection of an object of a realm of that actor.
    ///   - block: gets each change.
    /// - Returns: a token; the block is called as long as somebody holds it.
    public func observe<Owner: Actor>(
        keyPaths: [PartialKeyPath<Self>], on actor: Owner,
        _isolation isolation: isolated (any Actor)? = #isolation,
        _ block: @escaping @Sendable (isolated Owner, ObjectChange<Self>) -> Void
    ) async -> NotificationToken {
        await observing(on: actor, block, tracker(observed(keyPaths))).begun(on: actor)
    }

    /// The changes of what the projection shows, one after the other, up to the end of the object.
    ///
    /// - Parameter keyPaths: as in ``observe(keyPaths:on:_:)``.
    public func changes(keyPaths: [String]? = nil) -> ObservedChanges<ObjectChange<Self>> {
        observedChanges(tracker(observed(keyPaths)))
    }

    /// The changes of what the projection shows, one after the other, up to the end of the object.
    ///
    /// - Parameter keyPaths: of properties of the projection.
    public func changes(
        keyPaths: [PartialKeyPath<Self>]
    ) -> ObservedChanges<ObjectChange<Self>> {
        observedChanges(tracker(observed(keyPaths)))
    }

    // MARK: What is shown

    private var shown: [ProjectionLayout.Property] { ProjectionLayout.of(self).properties }

    /// The properties that are observed.
    private func observed(_ keyPaths: [String]?) -> [ProjectionLayout.Property] {
        guard let keyPaths else { return shown }
        return shown(of: keyPaths) { keyPath in
            let found = shown.filter { $0.label == keyPath || $0.origins.contains(keyPath) }
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
                misuse("\(keyPath) is no property of \(Self.self) with @Projected")
            }
            return found
        }
    }

    /// The properties of some key paths, each once and in the order of their declaration.
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
        let labels = Set(observed.map(\.label))
        let paths = ObservedPaths(
            observed.flatMap(\.observedOrigins), of: rootObject.access?.binding.schema,
            in: instance.snapshot.schema,
            otherwise: .own)
        return { source, there, position in
            ObjectTracker(source.rootObject, in: there, at: position, observing: paths) { written in
                guard let root = written.object as? Root else { return nil }
                let projection = Self(projecting: root)
                let changes = ProjectionLayout.of(projection).changes(
                    of: Set(written.names), shownAs: labels, root, since: written.old)
                return changes.isEmpty ? nil : .change(projection, changes)
            }
        }
    }
}

extension ProjectionLayout {
    /// The changes of the properties that show something of some properties of an object.
    ///
    /// - Parameter labels: the properties that are observed.
    fileprivate func changes(
        of names: Set<String>, shownAs labels: Set<String>, _ root: ObjectBase,
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
            // What has no value of its own is what it is now.
            let before = old.map { root.isSingle(name) ? property.projected._value(of: $0) : value }
            return PropertyChange(
                name: property.label, oldValue: before.flatMap { KeyPathNames.unwrapped($0) },
                newValue: KeyPathNames.unwrapped(value))
        }
    }
}
