public import Dispatch
import FirnQuery

/// Being told how sections change.
///
/// When and where blocks are called is said at ``RealmCollection/observe(keyPaths:on:_:)``. Should the
/// database become unreadable, the program stops.
extension SectionedResults {
    /// Calls a block when the sections change.
    ///
    /// - Parameters:
    ///   - keyPaths: which properties of the objects are observed; see
    ///     ``RealmCollection/observe(keyPaths:on:_:)``.
    ///   - queue: the serial queue that runs the block, with the sections of a realm of that queue;
    ///     `nil`: where the realm is used.
    ///   - block: gets each change.
    /// - Returns: a token; the block is called as long as somebody holds it.
    public func observe(
        keyPaths: [String]? = nil, on queue: DispatchQueue? = nil,
        _ block: @escaping (SectionedResultsChange<Self>) -> Void
    ) -> NotificationToken {
        observing(on: queue, block, tracker(keyPaths))
    }

    /// Calls a block of an actor when the sections change.
    ///
    /// - Parameters:
    ///   - keyPaths: as in ``observe(keyPaths:on:_:)``.
    ///   - actor: runs the block, with the sections of a realm of that actor.
    ///   - block: gets each change.
    /// - Returns: a token; the block is called as long as somebody holds it.
    public func observe<Owner: Actor>(
        keyPaths: [String]? = nil, on actor: Owner,
        _isolation isolation: isolated (any Actor)? = #isolation,
        _ block: @escaping @Sendable (isolated Owner, SectionedResultsChange<Self>) -> Void
    ) async -> NotificationToken {
        await observing(on: actor, block, tracker(keyPaths)).begun(on: actor)
    }

    /// The changes of the sections, one after the other; see ``RealmCollection/changes(keyPaths:)``.
    public func changes(
        keyPaths: [String]? = nil
    ) -> ObservedChanges<SectionedResultsChange<Self>> {
        let instance = observableInstance()
        let maker = tracker(keyPaths)
        return ObservedChanges(instance) { maker(self, instance, nil) }
    }

    private func tracker(
        _ keyPaths: [String]?
    ) -> TrackerMaker<Self, SectionedResultsChange<Self>> {
        _ = observableInstance()
        let paths = core.results.core.observed(keyPaths)
        return { source, there, _ in
            SectionsTracker(source.core, nil, in: there, observing: paths) {
                SectionedResults($0)
            }
        }
    }
}

/// Being told how sections of objects change, by key paths that the compiler checks.
extension SectionedResults where SectionElement: KeypathSortable {
    /// Calls a block when the sections change.
    ///
    /// - Parameters:
    ///   - keyPaths: of persisted properties; the program stops for others.
    ///   - queue: the serial queue that runs the block; `nil`: where the realm is used.
    ///   - block: gets each change.
    /// - Returns: a token; the block is called as long as somebody holds it.
    public func observe(
        keyPaths: [PartialKeyPath<SectionElement>], on queue: DispatchQueue? = nil,
        _ block: @escaping (SectionedResultsChange<Self>) -> Void
    ) -> NotificationToken {
        observe(keyPaths: keyPaths.map { SectionElement.name(of: $0) }, on: queue, block)
    }

    /// Calls a block of an actor when the sections change.
    ///
    /// - Parameters:
    ///   - keyPaths: of persisted properties; the program stops for others.
    ///   - actor: runs the block, with the sections of a realm of that actor.
    ///   - block: gets each change.
    /// - Returns: a token; the block is called as long as somebody holds it.
    public func observe<Owner: Actor>(
        keyPaths: [PartialKeyPath<SectionElement>], on actor: Owner,
        _isolation isolation: isolated (any Actor)? = #isolation,
        _ block: @escaping @Sendable (isolated Owner, SectionedResultsChange<Self>) -> Void
    ) async -> NotificationToken {
        await observe(keyPaths: keyPaths.map { SectionElement.name(of: $0) }, on: actor, block)
    }
}

/// Being told how one section changes, whichever position it has, and whether it is there.
extension ResultsSection {
    /// Calls a block when the section changes.
    ///
    /// - Parameters:
    ///   - keyPaths: as in ``SectionedResults/observe(keyPaths:on:_:)``.
    ///   - queue: the serial queue that runs the block, with the section of a realm of that queue;
    ///     `nil`: where the realm is used.
    ///   - block: gets each change. The paths in it are those of all sections.
    /// - Returns: a token; the block is called as long as somebody holds it.
    public func observe(
        keyPaths: [String]? = nil, on queue: DispatchQueue? = nil,
        _ block: @escaping (SectionedResultsChange<Self>) -> Void
    ) -> NotificationToken {
        observing(on: queue, block, tracker(keyPaths))
    }

    /// Calls a block of an actor when the section changes.
    ///
    /// - Parameters:
    ///   - keyPaths: as in ``SectionedResults/observe(keyPaths:on:_:)``.
    ///   - actor: runs the block, with the section of a realm of that actor.
    ///   - block: gets each change. The paths in it are those of all sections.
    /// - Returns: a token; the block is called as long as somebody holds it.
    public func observe<Owner: Actor>(
        keyPaths: [String]? = nil, on actor: Owner,
        _isolation isolation: isolated (any Actor)? = #isolation,
        _ block: @escaping @Sendable (isolated Owner, SectionedResultsChange<Self>) -> Void
    ) async -> NotificationToken {
        await observing(on: actor, block, tracker(keyPaths)).begun(on: actor)
    }

    /// The changes of the section, one after the other; see ``RealmCollection/changes(keyPaths:)``.
    public func changes(
        keyPaths: [String]? = nil
    ) -> ObservedChanges<SectionedResultsChange<Self>> {
        let instance = observableInstance()
        let maker = tracker(keyPaths)
        return ObservedChanges(instance) { maker(self, instance, nil) }
    }

    private func tracker(
        _ keyPaths: [String]?
    ) -> TrackerMaker<Self, SectionedResultsChange<Self>> {
        _ = observableInstance()
        let paths = core.results.core.observed(keyPaths)
        return { source, there, _ in
            let key = source.key
            return SectionsTracker(source.core, key, in: there, observing: paths) {
                ResultsSection($0, key)
            }
        }
    }
}

/// Being told how one section of objects changes, by key paths that the compiler checks.
extension ResultsSection where SectionElement: KeypathSortable {
    /// Calls a block when the section changes.
    ///
    /// - Parameters:
    ///   - keyPaths: of persisted properties; the program stops for others.
    ///   - queue: the serial queue that runs the block; `nil`: where the realm is used.
    ///   - block: gets each change.
    /// - Returns: a token; the block is called as long as somebody holds it.
    public func observe(
        keyPaths: [PartialKeyPath<SectionElement>], on queue: DispatchQueue? = nil,
        _ block: @escaping (SectionedResultsChange<Self>) -> Void
    ) -> NotificationToken {
        observe(keyPaths: keyPaths.map { SectionElement.name(of: $0) }, on: queue, block)
    }

    /// Calls a block of an actor when the section changes.
    ///
    /// - Parameters:
    ///   - keyPaths: of persisted properties; the program stops for others.
    ///   - actor: runs the block, with the section of a realm of that actor.
    ///   - block: gets each change.
    /// - Returns: a token; the block is called as long as somebody holds it.
    public func observe<Owner: Actor>(
        keyPaths: [PartialKeyPath<SectionElement>], on actor: Owner,
        _isolation isolation: isolated (any Actor)? = #isolation,
        _ block: @escaping @Sendable (isolated Owner, SectionedResultsChange<Self>) -> Void
    ) async -> NotificationToken {
        await observe(keyPaths: keyPaths.map { SectionElement.name(of: $0) }, on: actor, block)
    }
}
