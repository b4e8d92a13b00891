import FirnEngine
import FirnValues

/// Adds unmanaged objects, and what they link to, in one write transaction.
///
/// An object gets its row before those that it leads to, wherever that can be told: if links may lead
/// back to its class, links to unmanaged objects are left out at first, and set one after the other once
/// it has its row. Links may form circles for the same reason.
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
    /// Objects whose values are being gathered, of classes that do not lead to themselves.
    private var pending: Set<ObjectIdentifier> = []
    // Exclusivity is not checked at run time where each property passes: no access to these calls
    // anything.
    /// Whether links to unmanaged objects are left out.
    @exclusivity(unchecked) private var leavesOut = false
    /// Whether a link was left out since this was last cleared.
    @exclusivity(unchecked) private var hasLeftOut = false
    @exclusivity(unchecked) private var failure: StoreError?
    /// The values of an object that was added, whose memory the next one takes.
    @exclusivity(unchecked) private var spare: [Value] = []

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
        guard !leavesOut else {
            hasLeftOut = true
            return .null
        }
        guard !pending.contains(ObjectIdentifier(object)) else {
            misuse(
                "a \(type(of: object)) leads to itself through a property of another class: links lead "
                    + "to objects of exactly the class that they are declared with")
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
        guard !leavesOut else {
            hasLeftOut = true
            return .null
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
        if binding.leadsToItself {
            row = try addFirst(object, binding)
        } else if binding.mayLink {
            pending.insert(ObjectIdentifier(object))
            defer { pending.remove(ObjectIdentifier(object)) }
            row = try create(object, binding, leavingOut: false).row
            manage(object, binding, row)
        } else {
            row = try create(object, binding, leavingOut: false).row
            manage(object, binding, row)
        }
        return ObjectReference(classID: binding.schema.id, rowID: row)
    }

    /// Adds an object, and then what it links to.
    private func addFirst(
        _ object: ObjectBase, _ binding: ClassBinding
    ) throws(StoreError) -> RowID {
        let (row, late) = try create(object, binding, leavingOut: true)
        guard !late.isEmpty else {
            manage(object, binding, row)
            return row
        }
        // Links to it lead to its row from now on, although it keeps its values itself still.
        object.access = ObjectAccess(instance: instance, binding: binding, row: row)
        do throws(StoreError) {
            for place in late { try finish(place, of: object, row, binding) }
        } catch {
            // The transaction cannot be committed any more: the object stays what it was.
            object.access = nil
            throw error
        }
        binding.layout.manage(object, isAdded: true)
        return row
    }

    private func manage(_ object: ObjectBase, _ binding: ClassBinding, _ row: RowID) {
        realm._withUnsafeGuaranteedRef { object.manage($0, binding, row, isAdded: true) }
    }

    /// Makes the row of an object.
    ///
    /// - Parameter leavingOut: whether links to unmanaged objects are left out.
    /// - Returns: the row, and the places of the properties that were left out.
    private func create(
        _ object: ObjectBase, _ binding: ClassBinding, leavingOut: Bool
    ) throws(StoreError) -> (row: RowID, late: [Int]) {
        // Taken away: gathering the values may add other objects.
        var values: [Value] = []
        swap(&values, &spare)
        if values.count != binding.template.count || !binding.coversSchema {
            values = binding.template
        }
        let late = try gather(&values, of: object, binding, leavingOut: leavingOut)
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
        _ values: inout [Value], of object: ObjectBase, _ binding: ClassBinding, leavingOut: Bool
    ) throws(StoreError) -> [Int] {
        let base = Unmanaged.passUnretained(object).toOpaque()
        let links = _LinkEncoder(self)
        // Of the object that leads to this one.
        let outer = (leavesOut, hasLeftOut)
        leavesOut = leavingOut
        defer { (leavesOut, hasLeftOut) = outer }
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

    /// Sets a property that was left out, now that there is a row to lead back to.
    private func finish(
        _ place: Int, of object: ObjectBase, _ row: RowID, _ binding: ClassBinding
    ) throws(StoreError) {
        let outer = leavesOut
        leavesOut = false
        defer { leavesOut = outer }
        let field = binding.layout.address(of: place, in: object)
        let stored = binding.layout.properties[place].access.stored(field, _LinkEncoder(self))
        try checkSuccess()
        let property = binding.columns[place].id
        if policy == .modified {
            _ = try transaction.change(
                row, [(property, stored.value)], replaces: false, binding.schema)
        } else {
            try transaction.set(property, of: row, in: binding.schema.id, to: stored.value)
        }
    }
}
