import FirnValues

/// The freezes in a snapshot of the newest root, including expired ones.
///
/// An older root has none, and its snapshots are opened by their version.
extension Snapshot {
    /// - Complexity: O(kept roots + log freezes)
    package func freeze(named name: String) throws(StoreError) -> Freeze? {
        if let edit = overlay?.freezes[name] { return edit.freeze }
        if let listed = root.catalogFreezes { return listed.first { $0.name == name } }
        return try pages.history(of: root.superblock).freezes.freeze(named: name, pages)
    }

    /// Returns the freezes in the order in which they were made.
    func freezes() throws(StoreError) -> [Freeze] {
        var freezes: [Freeze]
        if let listed = root.catalogFreezes {
            freezes = listed
        } else {
            freezes = try pages.history(of: root.superblock).freezes.freezes(pages)
        }
        if let edits = overlay?.freezes, !edits.isEmpty {
            freezes = freezes.filter { edits[$0.name] == nil } + edits.added
        }
        return freezes.sorted {
            ($0.createdSeconds, $0.version, $0.name) < ($1.createdSeconds, $1.version, $1.name)
        }
    }

    /// Returns the versions named by freezes that have not expired, ascending.
    ///
    /// - Parameter now: Seconds since 1970.
    func frozenVersions(at now: Int64) throws(StoreError) -> [FreezeIndex.FrozenVersion] {
        if overlay?.freezes.isEmpty ?? true, root.catalogFreezes == nil {
            let index = try pages.history(of: root.superblock).freezes
            if index.earliestExpirySeconds.map({ $0 > now }) ?? true { return index.versions }
        }
        let live = try freezes().filter { !$0.isExpired(at: now) }
        return Dictionary(grouping: live, by: \.version)
            .map { .init(version: $0.key, freezeCount: $0.value.count) }
            .sorted { $0.version < $1.version }
    }

    /// Returns whether another freeze may be made.
    func hasRoomForFreeze() throws(StoreError) -> Bool {
        let listed = root.catalogFreezes?.count
        var count = listed ?? 0
        if listed == nil { count = try pages.history(of: root.superblock).freezes.count }
        count += overlay?.freezes.added.count ?? 0
        // Some of the added freezes may have replaced others.
        if count >= Freeze.countMaximum { count = try freezes().count }
        return count < Freeze.countMaximum
    }
}

extension Root {
    /// The freezes of a root of format 1, whose catalog lists them.
    var catalogFreezes: [Freeze]? {
        superblock.format == FileFormat.withFreezesInCatalog ? catalog.freezes : nil
    }
}
