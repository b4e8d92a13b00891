import FirnEngine
import FirnQuery

/// What a realm is and shows.
extension Realm {
    /// Whether the realm has no object of the classes of its model.
    ///
    /// - Complexity: O(classes)
    public var isEmpty: Bool {
        instance.reading("counting objects") { () throws(StoreError) in
            let snapshot = try instance.currentSnapshot().snapshot
            return instance.modelClasses.allSatisfy {
                (snapshot.table($0.id)?.liveRowCount ?? 0) == 0
            }
        }
    }

    /// Whether the realm moves on to newer versions by itself while something of it is observed.
    ///
    /// Otherwise those who observe the realm are told that there is a newer version, which ``refresh()``
    /// and write transactions show.
    ///
    /// Always `false` of frozen realms and those that were opened for reading only.
    public var autorefresh: Bool {
        get { instance.autorefresh }
        nonmutating set {
            instance.checkConfinement()
            guard !isFrozen, !configuration.readOnly else { return }
            instance.autorefresh = newValue
            if newValue { instance.observation.schedule(instance) }
        }
    }

    /// Forgets the version that the realm shows, so that its space can be used again.
    ///
    /// All objects and collections that came out of the realm before stay invalidated for ever; an open
    /// write transaction is cancelled. The realm itself can be used on, and shows the newest version
    /// then: ask it for the objects again.
    public func invalidate() {
        guard !isFrozen else {
            misuse("a frozen realm cannot be invalidated: let go of it to give its version up")
        }
        instance.reading("invalidating") { () throws(StoreError) in try instance.invalidate() }
    }
}
