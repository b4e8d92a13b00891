import FirnEngine
import FirnPlatform
import FirnValues

/// The row of a managed object.
struct ObjectAccess {
    let instance: RealmInstance
    let binding: ClassBinding
    let row: RowID

    /// Whether the realm was invalidated since it showed the object.
    var isStale: Bool { binding.slot.pointee.isStale }

    /// Whether objects are equal if their rows are equal.
    var comparesRows: Bool { binding.schema.key != nil || instance.isFrozen }

    var reference: ObjectReference { ObjectReference(classID: binding.schema.id, rowID: row) }
}

/// A reference to the realm that decoded links belong to.
///
/// It is only passed on, never stored: the caller retains the realm, and nothing here counts
/// references.
public struct _RealmReference {
    let known: Unmanaged<RealmInstance>?
    /// The location of the decoded value, if it can contain other values.
    let nested: NestedLocation?

    init(_ instance: RealmInstance?, _ nested: NestedLocation? = nil) {
        known = instance.map { .passUnretained($0) }
        self.nested = nested
    }

    init(_ instance: Unmanaged<RealmInstance>) {
        known = instance
        nested = nil
    }

    var instance: RealmInstance { unmanaged.takeUnretainedValue() }

    /// Returns an object of the model for a row.
    func object<T: ObjectBase>(_ type: T.Type, _ reference: ObjectReference) -> T {
        unmanaged._withUnsafeGuaranteedRef { $0.object(type, reference) }
    }

    private var unmanaged: Unmanaged<RealmInstance> {
        guard let known else { misuse("a link outside of a realm") }
        return known
    }
}

extension RealmInstance {
    /// Returns the link to an embedded object of this realm, or `nil` for any other value.
    ///
    /// The object can be assigned only to the property that already holds it, which changes
    /// nothing.
    func embeddedLink(of value: some RealmCollectionValue) -> Value? {
        guard let access = (value as? EmbeddedObject)?.access, access.instance === self,
            !access.isStale
        else { return nil }
        return .link(access.reference)
    }
}

extension ObjectBase {
    /// A reference to the realm of a managed object.
    final var realmReference: _RealmReference { _RealmReference(place?.instance) }

    /// Returns the current value of a property.
    final func read(_ index: Int) -> Value {
        reading(
            index, { cursor, position throws(StoreError) in try cursor.value(position) }, { $0 })
    }

    /// Reads a property through a type-specific path where possible.
    ///
    /// - Parameters:
    ///   - fast: Reads the value from the cursor, which is positioned on the row.
    ///   - convert: Converts a value of an open transaction to the result.
    @inline(__always)
    final func reading<Result>(
        _ index: Int, _ fast: (ObjectCursor, Int) throws(StoreError) -> Result,
        _ convert: (Value) -> Result
    ) -> Result {
        // Nothing here counts references.
        if let place, let cursor = place.readyCursor {
            let found = cursor._withUnsafeGuaranteedRef { cursor -> Result? in
                guard let isThere = try? cursor.move(to: place.row), isThere else { return nil }
                return try? fast(cursor, index)
            }
            // Otherwise the slow path reports the problem.
            if let found { return found }
        }
        return readSlowly(index, fast, convert)
    }

    @inline(never)
    private final func readSlowly<Result>(
        _ index: Int, _ fast: (ObjectCursor, Int) throws(StoreError) -> Result,
        _ convert: (Value) -> Result
    ) -> Result {
        guard let instance = place?.instance else { misuse("an unmanaged object has no row") }
        if instance.isFrozen {
            return instance.frozenLock.withLock { readHere(index, instance, fast, convert) }
        }
        instance.checkConfinement()
        return readHere(index, instance, fast, convert)
    }

    private final func readHere<Result>(
        _ index: Int, _ instance: RealmInstance,
        _ fast: (ObjectCursor, Int) throws(StoreError) -> Result, _ convert: (Value) -> Result
    ) -> Result {
        do {
            if let migration = instance.migration,
                let value = try collected(index, migration.writes)
            {
                return convert(value)
            }
            guard let access, !access.isStale else { deleted() }
            guard let cursor = try cursor(access.binding, instance) else {
                return convert(try readInTransaction(index, instance))
            }
            guard try cursor.move(to: access.row) else { deleted() }
            return try fast(cursor, index)
        } catch {
            instance.stop(error, "reading \(type(of: self))")
        }
    }

    /// Returns a property of the object for which a migration block is called.
    ///
    /// - Returns: `nil` if it is another object.
    private final func collected(
        _ index: Int, _ writes: MigrationWrites
    ) throws(StoreError) -> Value? {
        guard let access, !access.isStale,
            writes.object
                == MigrationWrites.Object(classID: access.binding.schema.id, row: access.row)
        else { return nil }
        let property = access.binding.columns[index]
        if let value = writes.value(of: property.id) { return value }
        return try writes.transaction.value(
            of: property, of: access.row, in: access.binding.schema)
    }

    /// Returns the cursor of the version that the realm shows.
    ///
    /// - Returns: `nil` if an open transaction has changes and must be read instead.
    private final func cursor(
        _ binding: ClassBinding, _ instance: RealmInstance
    ) throws(StoreError) -> ObjectCursor? {
        guard instance.changingTransaction == nil else { return nil }
        if binding.slot.pointee.epoch == instance.epoch, let cursor = binding.slot.pointee.cursor {
            return cursor.takeUnretainedValue()
        }
        guard let cursor = try instance.cursor(of: binding) else { deleted() }
        binding.slot.pointee.cursor = .passUnretained(cursor)
        binding.slot.pointee.epoch = instance.epoch
        return cursor
    }

    private final func readInTransaction(
        _ index: Int, _ instance: RealmInstance
    ) throws(StoreError) -> Value {
        guard let access, let transaction = instance.changingTransaction else { deleted() }
        let schema = access.binding.schema
        guard try transaction.exists(access.row, in: schema.id) else { deleted() }
        return try transaction.value(of: access.binding.columns[index], of: access.row, in: schema)
    }

    final func deleted() -> Never {
        misuse(
            "this \(type(of: self)) has been deleted, or its realm was invalidated: ask "
                + "isInvalidated before")
    }

    /// Sets a property.
    ///
    /// If the value is an unmanaged object, it is added.
    final func write(_ index: Int, _ value: some RealmCollectionValue) {
        guard let access else { misuse("an unmanaged object has no row") }
        guard !access.isStale else { deleted() }
        let instance = access.instance
        instance.change("set \(access.binding.nameOfProperty(index))") {
            transaction throws(StoreError) in
            try checkingExistence(transaction) { () throws(StoreError) in
                let property = access.binding.columns[index]
                if access.binding.schema.key == property.id {
                    try checkKey(value, property, access, transaction)
                    return
                }
                if property.type.base == .link, let there = instance.embeddedLink(of: value),
                    try transaction.value(of: property, of: access.row, in: access.binding.schema)
                        == there
                {
                    return
                }
                let stored = try instance.encoded(value, for: property, transaction)
                try transaction.set(
                    property.id, of: access.row, in: access.binding.schema.id, to: stored)
            }
        }
    }

    /// Changes the object.
    ///
    /// If it was deleted, the program stops with the message of a read.
    final func checkingExistence(
        _ transaction: WriteTransaction, _ body: () throws(StoreError) -> Void
    ) throws(StoreError) {
        do {
            try body()
        } catch {
            if error.code == .unknownObject, let access,
                try !transaction.exists(access.row, in: access.binding.schema.id)
            {
                deleted()
            }
            throw error
        }
    }

    /// Stops the program if a key would change, because other programs know the object by its key.
    private final func checkKey(
        _ value: some RealmCollectionValue, _ property: PropertySchema, _ access: ObjectAccess,
        _ transaction: WriteTransaction
    ) throws(StoreError) {
        let old = try transaction.value(of: property, of: access.row, in: access.binding.schema)
        guard try old == _LinkEncoder.refusing.encoded(value) else {
            misuse(
                "the primary key \(property.name) of \(type(of: self)) cannot be changed once the "
                    + "object is in a realm: make another object")
        }
    }
}
