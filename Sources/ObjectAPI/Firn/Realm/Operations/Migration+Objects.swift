import FirnEngine
import FirnQuery
import FirnValues

/// The objects of a migration.
extension Migration {
    /// Calls a closure for each object of a class, in the order in which the objects were created.
    ///
    /// Objects that the migration itself creates or has deleted are skipped. If the class is new,
    /// the closure receives the objects that the migration has created so far, without old ones.
    ///
    /// - Parameters:
    ///   - typeName: The name of the class, before the migration or in the new model. If there is
    ///     no such class, the closure is not called.
    ///   - block: A closure that receives each object as it was and as it will be.
    /// - Complexity: O(objects)
    public func enumerateObjects(
        ofType typeName: String, _ block: (MigrationObject?, MigrationObject?) throws -> Void
    ) rethrows {
        checkUse()
        plan.visited.insert(typeName)
        let known = old.snapshot.schema.classNamed(typeName)
        let wanted = plan.layout(of: typeName) == nil ? nil : newClass(typeName)
        if let known {
            try enumerate(known, wanted, block)
        } else if let wanted {
            try enumerateCreated(wanted, block)
        }
    }

    private func newClass(_ name: String) -> ClassSchema? {
        new.migration?.transaction.schema.classNamed(name)
    }

    private func enumerate(
        _ known: ClassSchema, _ wanted: ClassSchema?,
        _ block: (MigrationObject?, MigrationObject?) throws -> Void
    ) rethrows {
        guard let transaction = new.migration?.transaction, let writes = new.migration?.writes
        else { return }
        let batches = rowBatches(of: known)
        let total = batches.reduce(0) { $0 + $1.count }
        var done = 0
        // A block may enumerate the objects of another class.
        let outer = writes.object
        new.writeMigratedValues()
        defer {
            new.writeMigratedValues()
            writes.object = outer
        }
        let wasEnumerating = isEnumerating
        isEnumerating = true
        defer { isEnumerating = wasEnumerating }
        let before = MigratedObjects(old.dynamicBinding(of: known))
        let after = wanted.map { MigratedObjects(new.dynamicBinding(of: $0)) }
        for rows in batches {
            for row in rows where failure == nil {
                try visit(row, before, after, transaction, writes, block)
                done += 1
                if done % MigrationProgress.Reporter.objectsPerReport == 0 || done == total {
                    progress(known.name, done, of: total)
                }
            }
            attempt { () throws(StoreError) in try writes.flush(expecting: total - done) }
        }
    }

    private func visit(
        _ row: RowID, _ before: MigratedObjects, _ after: MigratedObjects?,
        _ transaction: WriteTransaction, _ writes: MigrationWrites,
        _ block: (MigrationObject?, MigrationObject?) throws -> Void
    ) rethrows {
        guard let after else { return try block(before.object(row), nil) }
        let classID = after.binding.schema.id
        if transaction.counts.deleted > 0 {
            var isThere = false
            attempt { () throws(StoreError) in
                isThere = try transaction.exists(row, in: classID)
            }
            guard isThere else { return }
        }
        writes.object = MigrationWrites.Object(classID: classID, row: row)
        try block(before.object(row), after.object(row))
    }

    private func enumerateCreated(
        _ schema: ClassSchema, _ block: (MigrationObject?, MigrationObject?) throws -> Void
    ) rethrows {
        guard let transaction = new.changingTransaction else { return }
        var rows: [RowID] = []
        attempt { () throws(StoreError) in
            rows = try transaction.snapshot().table(schema.id)?.liveRowIDs() ?? []
        }
        for row in rows {
            var isThere = false
            attempt { () throws(StoreError) in
                isThere = try transaction.exists(row, in: schema.id)
            }
            guard isThere else { continue }
            try block(
                nil,
                new.object(DynamicObject.self, ObjectReference(classID: schema.id, rowID: row)))
        }
    }

    /// Returns the objects of a class before the migration, row group by row group.
    private func rowBatches(of schema: ClassSchema) -> [[RowID]] {
        var batches: [[RowID]] = []
        attempt { () throws(StoreError) in
            for group in try old.snapshot.snapshot.table(schema.id)?.rowGroups() ?? [] {
                batches.append(try group.liveRowIDs())
            }
        }
        return batches
    }

    /// Creates an object of a class of the new model.
    ///
    /// - Parameters:
    ///   - typeName: The name of the class. The program stops if the new model lacks the class.
    ///   - value: The values, in the forms of ``Realm/dynamicCreate(_:value:update:)``. Other
    ///     properties have the initial values that the model declares.
    /// - Returns: The object.
    @discardableResult
    public func create(_ typeName: String, value: Any = [:]) -> MigrationObject {
        checkUse()
        return Realm(new).dynamicCreate(typeName, value: value)
    }

    /// Deletes an object.
    ///
    /// - Parameter object: A new object. The program stops if it is an old one, or deleted.
    public func delete(_ object: MigrationObject) {
        checkUse()
        Realm(new).delete(object)
    }

    /// Deletes all objects of a class.
    ///
    /// If the new model lacks the class, the class itself is removed after the block. Classes that
    /// the model lacks are otherwise kept.
    ///
    /// - Parameter typeName: The name of the class.
    /// - Returns: A Boolean value that indicates whether there is such a class.
    /// - Complexity: O(objects)
    @discardableResult
    public func deleteData(forType typeName: String) -> Bool {
        checkUse()
        guard let schema = newClass(typeName) else { return false }
        plan.visited.insert(typeName)
        if plan.layout(of: typeName) == nil {
            plan.removedClasses.insert(typeName)
            return true
        }
        new.change("delete all objects of \(typeName)") { transaction throws(StoreError) in
            let rows = try transaction.snapshot().table(schema.id)?.liveRowIDs() ?? []
            if !rows.isEmpty { try transaction.delete(rows, in: schema.id) }
        }
        return true
    }
}

/// The objects of a class that a migration block receives one after another.
private final class MigratedObjects {
    let binding: ClassBinding
    /// The last object, which is reused unless the block keeps it.
    private var last: DynamicObject?

    init(_ binding: ClassBinding) { self.binding = binding }

    func object(_ row: RowID) -> DynamicObject {
        if last == nil || !isKnownUniquelyReferenced(&last) { last = DynamicObject() }
        let object = last ?? DynamicObject()
        object.represent(row, of: binding)
        return object
    }
}
