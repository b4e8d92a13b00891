import FirnCodec
import FirnValues

extension WriteTransaction {
    /// Returns the changes of this transaction so far, with their consequences.
    ///
    /// - Complexity: O(operations), or O(row groups) and O(objects of those that differ) once the
    ///   operations are no longer recorded.
    package func changes() throws(StoreError) -> VersionChanges {
        let new = try snapshot()
        var result = VersionChanges(from: base.version, to: base.version)
        guard let recorded else {
            result.noteDifference(from: base.schema, to: new.schema)
            result.classes = try TableDifference.changes(from: base, to: new)
            return result
        }
        var changes = RecordedChanges()
        try recorded.bytes.withBytes { bytes throws(StoreError) in
            try changes.add(bytes, count: recorded.count, time: 0, in: store.path)
        }
        try ChangeConsequences(old: base, new: new).complete(&changes)
        result.schemaChanged = changes.schemaChanged
        result.classes = changes.classes.mapValues(\.sorted).filter { !$0.value.isEmpty }
        return result
    }

    /// Reverts the changes between two versions, as far as later changes allow it.
    ///
    /// Deleted objects are restored under new identities, and links to them are restored as well.
    ///
    /// - Parameters:
    ///   - changes: The changes from `old` to a later version, without a change of the schema.
    ///   - old: The version whose values are restored.
    package func revert(
        _ changes: VersionChanges, to old: Snapshot
    ) throws(StoreError) {
        // Objects may get back the values of others, which give them up later.
        let checksUniqueAtEnd = self.checksUniqueAtEnd
        self.checksUniqueAtEnd = true
        defer { self.checksUniqueAtEnd = checksUniqueAtEnd }
        var undo = Undo(transaction: self, old: old)
        try undo.run(changes)
        try checkUniqueValues()
    }
}

/// The reversal of changes.
///
///     1. created objects are deleted, so that their keys are free again
///     2. deleted objects are created again, without links, whose targets may be created later
///     3. changed values, and the links of the restored objects, get their former values
private struct Undo {
    let transaction: WriteTransaction
    let old: Snapshot
    /// The new identities of restored objects.
    private var renamed: [ObjectReference: RowID] = [:]

    init(transaction: WriteTransaction, old: Snapshot) {
        self.transaction = transaction
        self.old = old
    }

    mutating func run(_ changes: VersionChanges) throws(StoreError) {
        let classes = changes.classes.sorted { $0.key < $1.key }
        for (classID, change) in classes {
            for row in change.created where try transaction.exists(row, in: classID) {
                try transaction.delete(row, in: classID)
            }
        }
        for (classID, change) in classes {
            for row in change.deleted { try makeAgain(row, in: classID) }
        }
        for (classID, change) in classes {
            guard let schema = old.schema[classID], let cursor = ObjectCursor(old, classID) else {
                continue
            }
            for row in change.deleted {
                guard let made = renamed[ObjectReference(classID: classID, rowID: row)] else {
                    continue
                }
                try restore(schema.properties.filter(\.mayLink), of: row, as: made, cursor)
            }
            for object in change.modified where try transaction.exists(object.row, in: classID) {
                let written = schema.properties.filter { object.properties.contains($0.id) }
                try restore(written, of: object.row, as: object.row, cursor)
            }
        }
    }

    private mutating func makeAgain(_ row: RowID, in classID: ClassID) throws(StoreError) {
        guard let table = old.table(classID), var values = try table.values(of: row) else { return }
        for (index, property) in table.schema.properties.enumerated() where property.mayLink {
            values[index] = property.type.emptyCollection
        }
        let made = try transaction.create(in: classID, values)
        renamed[ObjectReference(classID: classID, rowID: row)] = made
    }

    private func restore(
        _ properties: [PropertySchema], of row: RowID, as present: RowID, _ cursor: ObjectCursor
    ) throws(StoreError) {
        let schema = cursor.schema
        guard !properties.isEmpty, try cursor.move(to: row) else { return }
        for property in properties {
            guard let index = schema.index(of: property.id) else { continue }
            try transaction.set(
                property.id, of: present, in: schema.id, to: followed(try cursor.value(index)))
        }
    }

    /// Returns the value with its links updated to the new identities.
    private func followed(_ value: Value) -> Value {
        switch value {
        case .link(let target):
            guard let row = renamed[target] else { return value }
            return .link(ObjectReference(classID: target.classID, rowID: row))
        case .list(let values): return .list(values.map(followed))
        case .set(let values): return .set(values.map(followed).canonicalSet)
        case .map(let values): return .map(values.mapValues(followed))
        default: return value
        }
    }
}
