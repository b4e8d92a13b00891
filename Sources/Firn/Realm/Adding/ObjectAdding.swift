import FirnEngine
import FirnValues

/// Adds unmanaged objects, and what they link to, in one write transaction.
///
/// Links to each other may form circles: a link to an object that is being added is left out at
/// first, and set as soon as all objects are there.
///
/// A realm keeps one for as long as its transaction is open: what it takes to add one object serves
/// the next.
final class ObjectAdding {
    /// The realm that keeps this.
    ///
    /// Not counted: what is known to weak references is slow to count.
    private let realm: Unmanaged<RealmInstance>
    let transaction: WriteTransaction
    var policy = Realm.UpdatePolicy.error
    /// Whether objects of other files are copied, and not refused.
    var copiesForeignObjects = false
    /// Objects whose values are being gathered.
    private var pending: Set<ObjectIdentifier> = []
    // Exclusivity is not checked at run time where each property passes: no access to these calls
    // anything.
    /// Whether a link was left out since this was last cleared.
    @exclusivity(unchecked) private var hasLeftOut = false
    @exclusivity(unchecked) private var failure: StoreError?
    /// The values of an object that was added, whose memory the next one takes.
    @exclusivity(unchecked) private var spare: [Value] = []
    /// Objects that have rows already, and the places of their properties that were left out.
    private var unfinished: [(object: ObjectBase, places: [Int])] = []

    init(_ instance: RealmInstance, _ transaction: WriteTransaction) {
        realm = .passUnretained(instance)
        self.transaction = transaction
    }

    private var instance: RealmInstance { realm.takeUnretainedValue() }

    /// Throws what made adding an object fail while values were encoded, which cannot throw.
    @inline(__always)
    func checkSuccess() throws(StoreError) {
        if let failure { throw failure }
    }

    // MARK: Links

    /// A link to an object, which is added unless it is managed already.
    func link(to object: ObjectBase) -> Value {
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

    // MARK: Objects

    /// Adds an object and all that it links to.
    func add(_ object: ObjectBase) throws(StoreError) -> ObjectReference {
        let binding = realm._withUnsafeGuaranteedRef { $0.binding(of: type(of: object)) }
        let row: RowID
        // Only what may lead to objects can lead back to this one.
        if binding.mayLink {
            row = try addLinking(object, binding)
        } else {
            row = try create(object, binding).row
            manage(object, binding, row)
        }
        return ObjectReference(classID: binding.schema.id, rowID: row)
    }

    private func addLinking(
        _ object: ObjectBase, _ binding: ClassBinding
    ) throws(StoreError) -> RowID {
        pending.insert(ObjectIdentifier(object))
        defer { pending.remove(ObjectIdentifier(object)) }
        let (row, late) = try create(object, binding)
        if late.isEmpty {
            manage(object, binding, row)
        } else {
            object.access = ObjectAccess(instance: instance, binding: binding, row: row)
            unfinished.append((object, late))
        }
        if pending.count == 1 { try finish() }
        return row
    }

    private func manage(_ object: ObjectBase, _ binding: ClassBinding, _ row: RowID) {
        realm._withUnsafeGuaranteedRef { object.manage($0, binding, row, isAdded: true) }
    }

    /// Makes the row of an object.
    ///
    /// - Returns: the row, and the places of the properties that were left out.
    private func create(
        _ object: ObjectBase, _ binding: ClassBinding
    ) throws(StoreError) -> (row: RowID, late: [Int]) {
        // Taken away: gathering the values may add other objects.
        var values: [Value] = []
        swap(&values, &spare)
        if values.count != binding.template.count || !binding.coversSchema {
            values = binding.template
        }
        let late = try gather(&values, of: object, binding)
        let row: RowID
        if policy == .error || binding.schema.key == nil {
            row = try transaction.create(in: binding.schema.id, values)
        } else {
            // An object that is there keeps what the model does not know, and what comes later.
            row = try transaction.put(
                values, in: binding.schema.id,
                keeping: binding.unknownPositions + late.map { binding.positions[$0] },
                recordsEqual: policy == .all)
        }
        swap(&values, &spare)
        return (row, late)
    }

    private func gather(
        _ values: inout [Value], of object: ObjectBase, _ binding: ClassBinding
    ) throws(StoreError) -> [Int] {
        let base = Unmanaged.passUnretained(object).toOpaque()
        let links = _LinkEncoder(self)
        // Of the object that leads to this one.
        let outerLeftOut = hasLeftOut
        defer { hasLeftOut = outerLeftOut }
        var late: [Int] = []
        for column in binding.written {
            hasLeftOut = false
            let stored = column.access.stored(base + column.offset, links)
            try checkSuccess()
            if hasLeftOut {
                // It may be required, as elements of lists are: all of it comes later.
                values[column.position] = binding.template[column.position]
                late.append(column.place)
            } else {
                values[column.position] = stored.value
            }
        }
        return late
    }

    /// Sets the properties that were left out, now that there are rows to lead to.
    private func finish() throws(StoreError) {
        let links = _LinkEncoder(self)
        while let (object, places) = unfinished.popLast() {
            guard let access = object.access else { continue }
            let binding = access.binding
            for place in places {
                let field = binding.layout.address(of: place, in: object)
                let stored = binding.layout.properties[place].access.stored(field, links)
                try checkSuccess()
                let property = binding.columns[place].id
                if policy == .modified {
                    _ = try transaction.change(
                        access.row, [(property, stored.value)], replaces: false, binding.schema)
                } else {
                    try transaction.set(
                        property, of: access.row, in: binding.schema.id, to: stored.value)
                }
            }
            binding.layout.manage(object, isAdded: true)
        }
    }
}
