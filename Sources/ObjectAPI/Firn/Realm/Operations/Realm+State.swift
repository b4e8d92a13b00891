import FirnEngine
import FirnQuery
import FirnValues

/// The state of a realm.
extension Realm {
    /// A Boolean value that indicates whether the realm has no objects of the classes of its model.
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

    /// A Boolean value that indicates whether the realm advances to newer versions automatically.
    ///
    /// Automatic advances require that something in the realm is observed. If the value is `false`,
    /// the observers of the realm are only notified that a newer version exists. ``refresh()`` and
    /// write transactions then show that version.
    ///
    /// The value is always `false` for frozen realms and for realms that were opened for reading
    /// only.
    public var autorefresh: Bool {
        get { instance.autorefresh }
        nonmutating set {
            instance.checkConfinement()
            guard !isFrozen, !configuration.readOnly else { return }
            instance.autorefresh = newValue
            if newValue { instance.observation.schedule(instance) }
        }
    }

    /// Releases the version that the realm shows, so that its space can be reused.
    ///
    /// All objects and collections that were read from the realm remain invalidated, and an open
    /// write transaction is cancelled. The realm itself remains usable and shows the newest
    /// version. Read the objects from it again.
    public func invalidate() {
        guard !isFrozen else {
            misuse("a frozen realm cannot be invalidated: let go of it to give its version up")
        }
        instance.reading("invalidating", try instance.invalidate())
    }
}
