import FirnCodec
import FirnValues

extension WriteTransaction {
    /// What this transaction has changed so far, and what follows from it.
    ///
    /// - Complexity: O(operations), or O(row groups) and O(objects of those that differ) once they
    ///   are not recorded any more.
    package func changes() throws(StoreError) -> VersionChanges {
        let new = try snapshot()
        var result = VersionChanges(from: base.version, to: base.version)
        guard let recorded else {
            result.schemaChanged = base.schema != new.schema
            for classID in Set(base.schema.classes.map(\.id)).union(new.schema.classes.map(\.id)) {
                let changes = try TableDifference(
                    from: base.table(classID), to: new.table(classID)
                ).changes()
                if !changes.isEmpty { result.classes[classID] = changes }
            }
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

    /// Takes the changes between two versions back, as far as what was done since allows it.
    ///
    /// Deleted objects come back under new identities; what linked to them links to them again.
    ///
    /// - Parameters:
    ///   - changes: from `old` to a later version, without a change of the schema.
    ///   - old: the version whose values are wanted.
    package func revert(
        _ changes: VersionChanges, to old: Snapshot
    ) throws(StoreError) {
        var reversion = Undo(transaction: self, old: old)
        try reversion.run(changes)
    }
}

/// Does the opposite of what was done.
///
///     1. created objects go, so that their keys are free again
///     2. deleted objects are made again, without links: what they linked to may come later
///     3. what was written, and the links of what was made again, is as before
private struct Undo {
    let transaction: WriteTransaction
    let old: Snapshot
    /// The new identities of objects that were made again.
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
            guard let schema = old.schema[classID] else { continue }
            for row in change.deleted {
                guard let made = renamed[ObjectReference(classID: classID, rowID: row)] else {
                    continue
                }
                try restore(schema.properties.filter(\.mayLink), of: row, as: made, schema)
            }
            for object in change.modified where try transaction.exists(object.row, in: classID) {
                let written = schema.properties.filter { object.properties.contains($0.id) }
                try restore(written, of: object.row, as: object.row, schema)
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
        _ properties: [PropertySchema], of row: RowID, as present: RowID, _ schema: ClassSchema
    ) throws(StoreError) {
        guard !properties.isEmpty, let values = try old.table(schema.id)?.values(of: row) else {
            return
        }
        for property in properties {
            guard let index = schema.index(of: property.id) else { continue }
            try transaction.set(
                property.id, of: present, in: schema.id, to: followed(values[index]))
        }
    }

    /// The value with links to where their objects are now.
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
