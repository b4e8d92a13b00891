import FirnEngine
import FirnValues

/// Adds unmanaged objects, and what they link to, in one write transaction.
///
/// Links to each other may form circles: a link to an object that is being added is left out at
/// first, and set as soon as all objects are there.
public final class _ObjectAdding {
    private let target: (instance: RealmInstance, transaction: WriteTransaction)?
    /// Where objects are only looked up, if nothing is added.
    private let lookedUpIn: RealmInstance?
    /// Whether an object was looked up that is not there.
    private(set) var isMissing = false
    /// Whether objects of other files are copied, and not refused.
    var copiesForeignObjects = false
    private let policy: Realm.UpdatePolicy
    /// Objects whose values are being gathered.
    private var pending: Set<ObjectIdentifier> = []
    /// How many objects are being added, one because of the other.
    private var depth = 0
    /// Whether a link was left out since this was last cleared.
    private var hasLeftOut = false
    /// Objects that have rows already, and the places of their properties that were left out.
    private var unfinished: [(object: ObjectBase, places: [Int])] = []
    private var failure: StoreError?

    init(
        _ instance: RealmInstance, _ transaction: WriteTransaction, _ policy: Realm.UpdatePolicy
    ) {
        target = (instance, transaction)
        lookedUpIn = nil
        self.policy = policy
    }

    private init(lookingIn instance: RealmInstance?) {
        target = nil
        lookedUpIn = instance
        policy = .error
    }

    /// Encodes values that lead to no objects, without a transaction.
    ///
    /// Every thread may use it: without a transaction there is nothing that it could remember.
    nonisolated(unsafe) static let unattached = _ObjectAdding(lookingIn: nil)

    private var instance: RealmInstance { attached.instance }

    private var transaction: WriteTransaction { attached.transaction }

    private var attached: (instance: RealmInstance, transaction: WriteTransaction) {
        guard let target else { misuse("a link outside of a write transaction") }
        return target
    }

    /// What the database stores for a value; objects in it are added.
    ///
    /// - Throws: ``StoreError`` if adding one of them failed.
    func encoded(_ value: some RealmCollectionValue) throws(StoreError) -> Value {
        let stored = value._encode(self).value
        if let failure { throw failure }
        return stored
    }

    /// - Throws: ``StoreError`` if adding an object failed.
    func checkSuccess() throws(StoreError) {
        if let failure { throw failure }
    }

    /// What the database stores for a value; `nil` if an object in it is not in the realm.
    static func lookup(_ value: some RealmCollectionValue, in instance: RealmInstance) -> Value? {
        let adding = _ObjectAdding(lookingIn: instance)
        let stored = value._encode(adding).value
        return adding.isMissing ? nil : stored
    }

    /// A link to an object, which is added unless it is managed already.
    func link(to object: ObjectBase) -> Value {
        if let lookedUpIn {
            if let access = object.access, access.instance === lookedUpIn {
                return .link(access.reference)
            }
            isMissing = true
            return .null
        }
        if let access = object.access {
            guard access.instance === instance else { return linkToForeign(object, access) }
            guard !access.isStale else {
                misuse(
                    "a link to an object whose realm was invalidated: ask the realm for it again")
            }
            guard !access.binding.schema.isEmbedded else {
                misuse(
                    "an embedded object that has a parent cannot get another one: make a copy of it"
                )
            }
            return .link(access.reference)
        }
        guard !pending.contains(ObjectIdentifier(object)) else {
            hasLeftOut = true
            return .null
        }
        guard failure == nil else { return .null }
        do throws(StoreError) {
            return .link(try add(object))
        } catch {
            failure = error
            return .null
        }
    }

    private func linkToForeign(_ object: ObjectBase, _ access: ObjectAccess) -> Value {
        guard access.instance.file !== instance.file else {
            misuse(
                "a link to an object that is frozen, or of the same realm elsewhere: call thaw(), "
                    + "or pass a ThreadSafeReference")
        }
        guard copiesForeignObjects, let type = type(of: object) as? Object.Type else {
            misuse("a link to an object of another realm: copy it with create(_:value:) instead")
        }
        let hasKey = access.binding.schema.key != nil
        let policy: Realm.UpdatePolicy = hasKey ? .modified : .error
        let copy: Object =
            object is DynamicObject
            ? Realm(instance).dynamicCreate(
                access.binding.layout.className, value: object, update: policy)
            : Realm(instance).create(type, value: object, update: policy)
        guard let reference = copy.access?.reference else {
            // Why not is what the commit says.
            failure =
                failure
                ?? StoreError(
                    .poisoned, path: instance.file.path, detail: "an object could not be copied")
            return .null
        }
        return .link(reference)
    }

    /// Adds an object and all that it links to.
    func add(_ object: ObjectBase) throws(StoreError) -> ObjectReference {
        let binding = instance.binding(of: type(of: object))
        // Only what may lead to objects can lead back to this one.
        if binding.mayLink { pending.insert(ObjectIdentifier(object)) }
        depth += 1
        defer {
            depth -= 1
            if binding.mayLink { pending.remove(ObjectIdentifier(object)) }
        }
        let outerLeftOut = hasLeftOut
        var late: [Int] = []
        var values = binding.template
        let layout = binding.layout
        for place in layout.properties.indices where binding.storesPlace(place) {
            hasLeftOut = false
            let property = layout.properties[place]
            let stored = property.field.stored(layout.address(of: place, in: object), self)
            if let failure { throw failure }
            // What was left out may be required, as elements of lists are: all of it comes later.
            values[binding.positions[place]] =
                hasLeftOut ? binding.template[binding.positions[place]] : stored.value
            if hasLeftOut { late.append(place) }
        }
        hasLeftOut = outerLeftOut
        let row = try put(values, binding)
        if late.isEmpty {
            object.manage(instance, binding, row, isAdded: true)
        } else {
            object.access = ObjectAccess(instance: instance, binding: binding, row: row)
            unfinished.append((object, late))
        }
        if depth == 1 { try finish() }
        return ObjectReference(classID: binding.schema.id, rowID: row)
    }

    /// Sets the properties that were left out, now that there are rows to lead to.
    private func finish() throws(StoreError) {
        while let (object, places) = unfinished.popLast() {
            guard let access = object.access else { continue }
            let binding = access.binding
            for place in places {
                let property = binding.layout.properties[place]
                let field = binding.layout.address(of: place, in: object)
                let stored = property.field.stored(field, self)
                if let failure { throw failure }
                try transaction.set(
                    binding.columns[place].id, of: access.row, in: binding.schema.id,
                    to: stored.value)
            }
            binding.layout.manage(object, isAdded: true)
        }
    }

    private func put(_ values: [Value], _ binding: ClassBinding) throws(StoreError) -> RowID {
        guard policy != .error, binding.schema.key != nil else {
            return try transaction.create(in: binding.schema.id, values)
        }
        let fields = zip(binding.schema.properties, values).map { property, value in
            (property: property.id, value: value)
        }
        return try transaction.put(fields, in: binding.schema.id, policy: .upsert).row
    }
}
