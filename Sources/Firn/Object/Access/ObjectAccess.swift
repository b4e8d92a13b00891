import FirnEngine
import FirnPlatform
import FirnValues

/// The row that a managed object stands for, and where it was found last.
struct ObjectAccess {
    let instance: RealmInstance
    let binding: ClassBinding
    let row: RowID
    /// Where the row stands as of ``epoch``.
    var group: GroupReader?
    var index = 0
    /// Of the instance when the row was located; 0: never.
    var epoch: UInt64 = 0

    init(instance: RealmInstance, binding: ClassBinding, row: RowID) {
        self.instance = instance
        self.binding = binding
        self.row = row
    }

    /// Whether objects are equal when their rows are.
    var comparesRows: Bool { binding.schema.key != nil || instance.isFrozen }

    var reference: ObjectReference { ObjectReference(classID: binding.schema.id, rowID: row) }
}

/// The realm that decoded links belong to.
public struct _RealmReference {
    private let known: RealmInstance?
    /// Where what is decoded is, if it can have other values in it.
    private let nested: NestedPlace?

    init(_ instance: RealmInstance?, _ nested: NestedPlace? = nil) {
        known = instance
        self.nested = nested
    }

    /// The list or dictionary that is decoded; `nil` if it is not known where that is.
    var nestedCore: NestedCore? {
        guard let known, let nested else { return nil }
        return NestedCore(known, nested)
    }

    var instance: RealmInstance {
        guard let known else { misuse("a link outside of a realm") }
        return known
    }
}

extension ObjectBase {
    /// The realm of a managed object.
    final var realmReference: _RealmReference { _RealmReference(access?.instance) }

    /// The value of a property as the realm has it now.
    final func read(_ place: Int) -> Value {
        guard let instance = access?.instance else { misuse("an unmanaged object has no row") }
        guard !instance.isFrozen else {
            return instance.frozenLock.withLock { readHere(place, instance) }
        }
        instance.checkConfinement()
        return readHere(place, instance)
    }

    private final func readHere(_ place: Int, _ instance: RealmInstance) -> Value {
        do throws(StoreError) {
            if access?.epoch == instance.epoch, let group = access?.group {
                return try group.value(place, at: access?.index ?? 0)
            }
            return try readAnew(place, instance)
        } catch {
            instance.stop(error, "reading \(type(of: self))")
        }
    }

    /// Reads after the realm has moved on.
    private final func readAnew(
        _ place: Int, _ instance: RealmInstance
    ) throws(StoreError) -> Value {
        guard let access else { misuse("an unmanaged object has no row") }
        let binding = access.binding
        if let transaction = instance.changingTransaction {
            guard try transaction.exists(access.row, in: binding.schema.id) else { deleted() }
            return try transaction.value(
                of: binding.columns[place], of: access.row, in: binding.schema)
        }
        guard let (group, index) = try instance.reader(of: binding)?.locate(access.row) else {
            deleted()
        }
        self.access?.group = group
        self.access?.index = index
        self.access?.epoch = instance.epoch
        return try group.value(place, at: index)
    }

    private final func deleted() -> Never {
        misuse(
            "this \(type(of: self)) has been deleted, or its realm was invalidated: ask "
                + "isInvalidated before")
    }

    /// Gives a property another value, which may be an object that is added then.
    final func write(_ place: Int, _ value: some RealmCollectionValue) {
        guard let access else { misuse("an unmanaged object has no row") }
        let instance = access.instance
        instance.change("set \(access.binding.layout.properties[place].name)") {
            transaction throws(StoreError) in
            let property = access.binding.columns[place]
            if access.binding.schema.key == property.id {
                try checkKey(value, property, access, transaction)
                return
            }
            let adding = _ObjectAdding(instance, transaction, .error)
            try transaction.set(
                property.id, of: access.row, in: access.binding.schema.id,
                to: adding.encoded(value))
        }
    }

    /// A key stays what it is: it is what others know the object by.
    private final func checkKey(
        _ value: some RealmCollectionValue, _ property: PropertySchema, _ access: ObjectAccess,
        _ transaction: WriteTransaction
    ) throws(StoreError) {
        let adding = _ObjectAdding(access.instance, transaction, .error)
        let old = try transaction.value(of: property, of: access.row, in: access.binding.schema)
        guard try old == adding.encoded(value) else {
            misuse(
                "the primary key \(property.name) of \(type(of: self)) cannot be changed once the "
                    + "object is in a realm: make another object")
        }
    }
}
