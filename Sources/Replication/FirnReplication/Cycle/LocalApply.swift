import FirnEngine
import FirnValues

/// Applies pulled rows to the file, in one transaction.
///
/// Properties that this file changed and the server does not have yet keep their local values: the
/// result is the row of the server with the local changes on top, so that no local change
/// disappears while it is under way.
final class LocalApply {
    private let transaction: WriteTransaction
    private let pending: [ObjectName: PendingChanges]
    private let values: TextValues
    /// Converts rows without creating anything, to find those that cannot be converted.
    private let trial: TextValues
    private let scratch = ScratchObjects()
    private let held: HeldJSON
    private let kept: KeptState
    private let path: String
    private(set) var comparison: StateComparison
    private(set) var changedCount = 0
    /// The objects of classes with links that were counted without them.
    private var changedBeforeLinks: Set<ObjectName> = []
    /// The rows that the file cannot have, with the reasons.
    private(set) var skipped: [SkippedRow] = []
    private var skippedObjects: Set<ObjectName> = []
    /// The objects that were deleted here because the subset does not contain them.
    private(set) var removedObjects: Set<ObjectName> = []

    /// - Parameters:
    ///   - pending: The changes that the server does not have.
    ///   - sent: Those that it has.
    init(
        _ transaction: WriteTransaction, pending: [Outgoing], sent: [Outgoing], path: String
    ) throws(StoreError) {
        self.transaction = transaction
        self.path = path
        // Rows come in another order than that of the changes on the server.
        transaction.checksUniqueAtEnd = true
        // Among them are objects that this transaction has refused.
        kept = try KeptState(try transaction.snapshot())
        comparison = StateComparison(sent, pending: pending)
        var byObject: [ObjectName: PendingChanges] = [:]
        for change in pending { byObject[change.object, default: PendingChanges()].add(change) }
        self.pending = byObject
        let find: (ClassSchema, Value) throws(StoreError) -> RowID? = {
            target, key throws(StoreError) in
            try transaction.row(forKey: key, in: target.id)
        }
        values = TextValues(
            transaction.schema, find: find,
            create: { classID, values throws(StoreError) in
                try transaction.create(in: classID, values)
            })
        let scratch = self.scratch
        trial = TextValues(transaction.schema, find: find) { classID, values in
            scratch.create(classID, values)
        }
        held = HeldJSON(transaction, find)
    }

    /// The changes to an object that the server does not have.
    private struct PendingChanges {
        /// Whether the object was created or deleted, so that all its properties are local.
        var isWhole = false
        var properties: TextSet = []

        mutating func add(_ change: Outgoing) {
            if change.kind != .update { isWhole = true }
            for property in change.properties { properties.insert(property.name) }
        }
    }

    /// Applies the rows of all classes, first without links, whose targets may still be missing.
    func apply(
        _ rows: PulledRows, _ classes: [SyncedClass], complete: TextSet, in base: Snapshot
    ) throws(UpstreamError) {
        var removed: [(type: SyncedClass, rows: [RowID])] = []
        for type in classes {
            var seen: TextSet = []
            var gone: [RowID] = []
            try rows.forEach(of: type, in: base) { row throws(UpstreamError) in
                if complete.contains(type.name) { seen.insert(row.key) }
                if let texts = row.texts {
                    try put(row.key, texts, of: type, links: false)
                } else if let local = try removable(row.key, of: type) {
                    gone.append(local)
                    removedObjects.insert(ObjectName(className: type.name, key: row.key))
                }
            }
            if complete.contains(type.name) { gone += try others(than: seen, of: type, in: base) }
            removed.append((type, gone))
        }
        for type in classes where type.columns.contains(where: \.mayLink) {
            try rows.forEach(of: type, in: base) { row throws(UpstreamError) in
                if let texts = row.texts { try put(row.key, texts, of: type, links: true) }
            }
        }
        for (type, gone) in removed { try delete(Array(Set(gone)), of: type) }
    }

    /// Deletes the objects of a class without subscriptions, except those with pending changes.
    func removeAll(of type: SyncedClass, in base: Snapshot) throws(UpstreamError) {
        try delete(try others(than: [], of: type, in: base), of: type)
    }

    /// Records the states whose objects were deleted on the server.
    func noteDeletions(_ deleted: Set<ObjectName>) {
        for object in deleted where removedObjects.contains(object) {
            comparison.noteDeletion(object)
        }
    }

    private func delete(_ rows: [RowID], of type: SyncedClass) throws(UpstreamError) {
        guard !rows.isEmpty else { return }
        try UpstreamError.converting { () throws(StoreError) in
            try transaction.delete(rows.sorted(), in: type.schema.id)
        }
        changedCount += rows.count
    }

    // MARK: Objects

    private func put(
        _ key: String, _ texts: [String?], of type: SyncedClass, links: Bool
    ) throws(UpstreamError) {
        let object = ObjectName(className: type.name, key: key)
        let pending = pending[object]
        if pending?.isWhole ?? false { return }
        var converted: [Value]?
        if !links {
            converted = try self.converted(object, texts, of: type)
            if converted == nil { return }
        } else if skippedObjects.contains(object) {
            return
        }
        if !links, kept.contains(object) {
            try UpstreamError.converting { () throws(StoreError) in
                try kept.release(
                    object, isSent: comparison.hasState(of: object), in: transaction, path: path)
            }
        }
        var fields: [(property: PropertyID, value: Value)] = []
        let mayLink = type.columns.contains(where: \.mayLink)
        var index = 0
        for (number, column) in type.columns.enumerated() {
            let end = min(index + column.names.count, texts.count)
            let slice = texts[min(index, end)..<end]
            index = end
            let isKey = column.name == type.key.name
            guard isKey || column.mayLink == links,
                !(pending?.properties.contains(column.name) ?? false)
            else { continue }
            if column.isJSON, try held.isEqual(slice.first ?? nil, column, type, key: key) {
                continue
            }
            // Embedded objects are created in the file.
            guard let known = converted?[number], !column.isJSON else {
                fields.append((column.property.id, try values.value(slice, column, of: type)))
                continue
            }
            fields.append((column.property.id, known))
        }
        let outcome = try UpstreamError.converting { () throws(StoreError) in
            try transaction.put(fields, in: type.schema.id, policy: .upsert)
        }
        guard outcome.effect != .unchanged else { return }
        if links {
            if !changedBeforeLinks.contains(object) { changedCount += 1 }
        } else {
            changedCount += 1
            if mayLink { changedBeforeLinks.insert(object) }
        }
        comparison.compare(object, texts, of: type, links: links)
    }

    /// Converts a row, and records it if the file cannot have it.
    ///
    /// The object stays as it is, and gets the values of the row when the row changes.
    ///
    /// - Returns: The values, of which embedded objects are not in the file; `nil` for such a row.
    private func converted(
        _ object: ObjectName, _ texts: [String?], of type: SyncedClass
    ) throws(UpstreamError) -> [Value]? {
        defer { scratch.removeAll() }
        do throws(UpstreamError) { return try trial.row(texts, of: type) } catch {
            guard error.code == .unsupported else { throw error }
            if skippedObjects.insert(object).inserted {
                skipped.append(
                    SkippedRow(object: "\(object.className) \(object.key)", reason: error.detail))
            }
            return nil
        }
    }

    /// Returns the object to delete because the subset no longer contains it.
    private func removable(
        _ key: String, of type: SyncedClass
    ) throws(UpstreamError) -> RowID? {
        let object = ObjectName(className: type.name, key: key)
        guard pending[object] == nil, !kept.contains(object), let value = type.keyValue(key) else {
            return nil
        }
        return try UpstreamError.converting { () throws(StoreError) in
            try transaction.row(forKey: value, in: type.schema.id)
        }
    }

    /// Returns the objects of a class that are not among the objects of the server.
    private func others(
        than seen: TextSet, of type: SyncedClass, in base: Snapshot
    ) throws(UpstreamError) -> [RowID] {
        guard let table = base.table(type.schema.id),
            let cursor = ObjectCursor(base, type.schema.id, [type.key.property])
        else { return [] }
        let rows = try UpstreamError.converting { () throws(StoreError) in
            try table.liveRowIDs()
        }
        var result: [RowID] = []
        for row in rows {
            let key = try UpstreamError.converting { () throws(StoreError) in
                try cursor.move(to: row) ? try cursor.value(0) : Value.null
            }
            guard let text = try? SyncedClass.keyText(key), !seen.contains(text) else { continue }
            let object = ObjectName(className: type.name, key: text)
            guard pending[object] == nil, !kept.contains(object) else { continue }
            result.append(row)
            removedObjects.insert(object)
        }
        return result
    }
}

/// A row of the server that the file cannot have, such as one with an infinite date.
package struct SkippedRow: Hashable, Sendable {
    package let object: String
    package let reason: String
}
