import FirnEngine
import FirnPlatform
import FirnQuery
import FirnValues

/// Finding objects.
extension Realm {
    /// Returns the object with a primary key, or `nil` if there is none.
    ///
    /// - Parameters:
    ///   - type: A class with a primary key.
    ///   - key: A value of the type of the primary key. If the key is optional, `nil as Int?` finds
    ///     the only object whose key is nil.
    /// - Complexity: O(log objects)
    public func object<Element: Object, KeyType>(
        ofType type: Element.Type, forPrimaryKey key: KeyType
    ) -> Element? {
        object(type, instance.binding(of: type), key)
    }

    func object<Element: Object>(
        _ type: Element.Type, _ binding: ClassBinding, _ key: Any
    ) -> Element? {
        let name = binding.layout.className
        guard let property = binding.schema.keyProperty else {
            misuse("\(name) has no primary key: find its objects with filter() or where { }")
        }
        guard let key = binding.keyValue(key) else {
            misuse(
                "\(Swift.type(of: key)) is not the type of the primary key \(property.name) of "
                    + name)
        }
        return instance.reading("looking up a \(name)") { () throws(StoreError) in
            guard let row = try instance.row(forKey: key, binding) else { return nil }
            return instance.object(
                type, ObjectReference(classID: binding.schema.id, rowID: row))
        }
    }

    /// Advances the realm to the newest version of the file, and notifies its observers.
    ///
    /// - Returns: A Boolean value that indicates whether the realm advanced to a newer version.
    @discardableResult
    public func refresh() -> Bool {
        instance.checkConfinement()
        guard !isFrozen else { return false }
        guard !isInWriteTransaction else {
            misuse(
                "refresh() in a write transaction, which shows the newest version anyway: leave it "
                    + "out")
        }
        return instance.reading("refreshing", try instance.refresh())
    }
}

extension ClassBinding {
    /// Returns the stored form of a primary key, or `nil` if the value has a different type.
    func keyValue(_ key: Any) -> Value? {
        guard let id = schema.key, let index = columns.firstIndex(where: { $0.id == id }) else {
            return nil
        }
        return layout.properties[index].field.encoded(key, .refusing)
    }
}

extension RealmInstance {
    /// Returns a result of the store where errors cannot be thrown.
    ///
    /// A frozen realm is read by one thread at a time.
    func reading<Result>(
        _ what: @autoclosure () -> String, _ result: @autoclosure () throws(StoreError) -> Result
    ) -> Result {
        reading(what()) { () throws(StoreError) in try result() }
    }

    /// Runs several operations of the store where errors cannot be thrown.
    ///
    /// A frozen realm is read by one thread at a time.
    func reading<Result>(
        _ what: @autoclosure () -> String, _ body: () throws(StoreError) -> Result
    ) -> Result {
        checkConfinement()
        do throws(StoreError) {
            guard isFrozen else { return try body() }
            return try frozenLock.withLock { () throws(StoreError) in try body() }
        } catch {
            stop(error, what())
        }
    }

    /// Returns the row of the object with a key.
    func row(forKey key: Value, _ binding: ClassBinding) throws(StoreError) -> RowID? {
        if let transaction = changingTransaction {
            return try transaction.row(forKey: key, in: binding.schema.id)
        }
        return try currentSnapshot().snapshot.table(binding.schema.id)?.row(forKey: key)
    }
}

extension RealmInstance {
    /// Returns the value of a property of a row, or `nil` if the object does not exist.
    func value(_ index: Int, of row: RowID, _ binding: ClassBinding) throws(StoreError) -> Value? {
        if let transaction = changingTransaction {
            guard try transaction.exists(row, in: binding.schema.id) else { return nil }
            return try transaction.value(of: binding.columns[index], of: row, in: binding.schema)
        }
        guard let cursor = try cursor(of: binding), try cursor.move(to: row) else { return nil }
        return try cursor.value(index)
    }
}
