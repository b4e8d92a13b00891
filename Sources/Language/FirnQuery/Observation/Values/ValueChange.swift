import FirnValues

/// The change to the rows of live values from one version to another.
package struct ValueChange: Sendable {
    /// The changes by position; rows with the same group keys are the same row.
    package let changes: ChangeSet
    package let old: ValueTable
    package let new: ValueTable

    init(from old: ValueTable, to new: ValueTable) {
        self.old = old
        self.new = new
        guard old.identities != new.identities else {
            let modified = old.contents.indices.filter { old.contents[$0] != new.contents[$0] }
            changes = ChangeSet(modifications: modified)
            return
        }
        let contents = Dictionary(
            zip(old.identities, old.contents), uniquingKeysWith: { first, _ in first })
        var modified: Set<[UInt8]> = []
        for (identity, content) in zip(new.identities, new.contents)
        where contents[identity] != nil && contents[identity] != content {
            modified.insert(identity)
        }
        changes = ChangeSet.difference(from: old.identities, to: new.identities) {
            modified.contains($0)
        }
    }
}
