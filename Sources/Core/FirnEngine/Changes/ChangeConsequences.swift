import FirnValues

/// The consequences of commits that are not recorded as operations.
///
/// Embedded objects are deleted with the property that held them, and links to deleted objects
/// become nil or leave their collections. Both are found in the old version: an object that
/// received a link only since then was written to, and is already known.
struct ChangeConsequences {
    let old: Snapshot
    let new: Snapshot

    /// Adds all consequences.
    func complete(_ changes: inout RecordedChanges) throws(StoreError) {
        try addHeldObjects(to: &changes)
        for classID in changes.classes.keys.sorted() {
            try addLosses(to: &changes, by: classID)
        }
    }

    // MARK: Embedded objects

    private func addHeldObjects(to changes: inout RecordedChanges) throws(StoreError) {
        var pending: [ObjectReference] = []
        for (classID, known) in changes.classes {
            if new.schema[classID]?.isEmbedded == true, let table = new.table(classID) {
                try changes.keepCreated(in: classID) { row throws(StoreError) in
                    try table.exists(row)
                }
            }
            let owning = owningProperties(of: classID)
            guard !owning.isEmpty else { continue }
            for row in known.deleted {
                pending += try held(by: row, in: classID, owning)
            }
            for (row, properties) in known.modified {
                let written = owning.filter { properties.contains($0.id) }
                guard !written.isEmpty else { continue }
                pending += try held(by: row, in: classID, written)
            }
        }
        while let object = pending.popLast() {
            guard try new.table(object.classID)?.exists(object.rowID) != true,
                changes.noteGone(object)
            else { continue }
            pending += try held(
                by: object.rowID, in: object.classID, owningProperties(of: object.classID))
        }
    }

    private func owningProperties(of classID: ClassID) -> [PropertySchema] {
        old.schema[classID]?.properties.filter { old.catalog.isOwning($0) } ?? []
    }

    /// Returns the embedded objects that some properties of an object held in the old version.
    private func held(
        by row: RowID, in classID: ClassID, _ properties: [PropertySchema]
    ) throws(StoreError) -> [ObjectReference] {
        guard let (group, index) = try old.table(classID)?.locate(row) else { return [] }
        var objects: [ObjectReference] = []
        for property in properties {
            objects += try group.value(of: property, at: index).linkTargets
        }
        return objects
    }

    // MARK: Links

    private func addLosses(
        to changes: inout RecordedChanges, by classID: ClassID
    ) throws(StoreError) {
        let targets = changes.classes[classID]?.deleted.sorted() ?? []
        // An object that was created and deleted again may have been in a collection, and left it
        // without an edit.
        guard !targets.isEmpty || changes.classes[classID]?.hasPassing == true else { return }
        for source in old.schema.classes {
            for property in source.properties
            where property.type.base == .any || property.type.target == classID {
                changes.forgetEdits(of: property.id, in: source.id)
                let sources = try old.sources(
                    of: targets, in: classID, through: property, of: source)
                for row in Set(sources.rows) {
                    changes.noteLoss(property.id, of: row, in: source.id)
                }
            }
        }
    }
}

extension Table {
    /// Returns whether an object exists.
    ///
    /// - Complexity: O(log objects)
    func exists(_ row: RowID) throws(StoreError) -> Bool { try locate(row) != nil }
}
