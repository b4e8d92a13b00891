import FirnEngine
import FirnValues

/// The objects that differ from an older version.
///
/// Subscriptions and the state of a replication are not part of it: a server would take a file with a
/// former state for a copy of the file.
///
/// An object that was written but has its old values again is not included. An object that was
/// deleted and inserted again with the same key is included, and so is an object whose embedded
/// objects differ.
struct ThawedDifference {
    /// The changes, without those that changed nothing.
    private(set) var changes: VersionChanges
    private(set) var objectCount: UInt64 = 0

    /// - Parameter changes: the changes between the two versions, which have the same listed classes.
    init(_ changes: VersionChanges, from old: Snapshot, to new: Snapshot) throws(StoreError) {
        var changes = changes
        for type in old.schema.classes + new.schema.classes where type.isInternal {
            changes.classes[type.id] = nil
        }
        self.changes = changes
        for (classID, changed) in changes.classes {
            var changed = changed
            changed.modified = try ThawedDifference.differing(changed, classID, old, new)
            self.changes.classes[classID] = changed.isEmpty ? nil : changed
        }
        let owners = try EmbeddedOwners(of: self.changes, in: new)
        for schema in old.schema.classes where !schema.isEmbedded {
            let changed = self.changes.classes[schema.id] ?? ClassChanges()
            let modified = owners.modified(changed, of: schema.id).count
            let madeAgain = try ThawedDifference.madeAgainCount(changed, schema, old, new)
            objectCount += UInt64(
                modified + changed.created.count + changed.deleted.count - madeAgain)
        }
    }

    private static func differing(
        _ changed: ClassChanges, _ classID: ClassID, _ old: Snapshot, _ new: Snapshot
    ) throws(StoreError) -> [ModifiedObject] {
        guard let before = ObjectCursor(old, classID), let after = ObjectCursor(new, classID) else {
            return changed.modified
        }
        var differing: [ModifiedObject] = []
        let properties = before.schema.properties
        for object in changed.modified {
            guard try before.move(to: object.row), try after.move(to: object.row) else { continue }
            for column in properties.indices
            where object.properties.contains(properties[column].id) {
                guard try before.value(column) != after.value(column) else { continue }
                differing.append(object)
                break
            }
        }
        return differing
    }

    /// Returns the number of deleted objects that exist again with the same key.
    private static func madeAgainCount(
        _ changed: ClassChanges, _ schema: ClassSchema, _ old: Snapshot, _ new: Snapshot
    ) throws(StoreError) -> Int {
        guard let key = schema.keyProperty, let index = schema.index(of: key.id),
            !changed.created.isEmpty, !changed.deleted.isEmpty
        else { return 0 }
        var deleted: Set<Value> = []
        for row in changed.deleted {
            if let values = try old.table(schema.id)?.values(of: row) {
                deleted.insert(values[index])
            }
        }
        var count = 0
        for row in changed.created {
            guard let values = try new.table(schema.id)?.values(of: row) else { continue }
            if deleted.contains(values[index]) { count += 1 }
        }
        return count
    }
}
