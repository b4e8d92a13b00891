import FirnEngine
import FirnValues

/// Adds unmanaged objects, and the objects that they link to, in one write transaction.
///
/// An object gets its row before the objects that it links to, wherever the order is observable. If
/// links may lead back to its class, links to unmanaged objects are left out at first. They are set
/// one after the other once the object has its row. For the same reason, links may form cycles.
///
/// A realm keeps an instance for as long as its transaction is open, because the state for adding
/// one object can be reused for the next.
final class ObjectAdding {
    /// The realm that keeps this instance.
    ///
    /// The reference is unmanaged, because reference counting is slow for objects that have weak
    /// references.
    private let realm: Unmanaged<RealmInstance>
    let transaction: WriteTransaction
    var policy = Realm.UpdatePolicy.error
    /// Whether objects of other files are copied instead of refused.
    var copiesForeignObjects = false
    /// The objects whose values are being gathered, for classes without a path of links back to
    /// themselves.
    private var pending: Set<ObjectIdentifier> = []
    // Exclusivity is not checked at run time in this hot path. No access to these properties calls
    // other code.
    /// Whether links to unmanaged objects are left out.
    @exclusivity(unchecked) private var leavesOut = false
    /// Whether a link was left out since this was last cleared.
    @exclusivity(unchecked) private var hasLeftOut = false
    @exclusivity(unchecked) private var failure: StoreError?
    /// The values array of an added object, whose memory the next object reuses.
    @exclusivity(unchecked) private var spare: [Value] = []

    init(_ instance: RealmInstance, _ transaction: WriteTransaction) {
        realm = .passUnretained(instance)
        self.transaction = transaction
    }

    private var instance: RealmInstance { realm.takeUnretainedValue() }

    /// Throws the error of an object that could not be added while values were encoded.
    ///
    /// Encoding itself cannot throw.
    @inline(__always)
    func checkSuccess() throws(StoreError) {
        if let failure { throw failure }
    }

    // MARK: Links

    /// Returns a link to an object, which is added unless it is already managed.
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
        do {
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
            // The commit reports the cause.
            failure =
                failure
                ?? StoreError(
                    .poisoned, path: instance.file.path, detail: "an object could not be copied")
            return .null
        }
        return .link(reference)
    }

    // MARK: Objects

    /// Adds an object and all objects that it links to.
    func add(_ object: ObjectBase) throws(StoreError) -> ObjectReference {
        let binding = realm._withUnsafeGuaranteedRef { $0.binding(of: type(of: object)) }
        let row: RowID
        if binding.leadsToItself {
            row = try addFirst(object, binding)
        } else if binding.mayLink {
            pending.insert(ObjectIdentifier(object))
            defer { pending.remove(ObjectIdentifier(object)) }
            row = try create(object, binding, leavingOut: false).row
            object.manage(binding, row, isAdded: true)
        } else {
            row = try create(object, binding, leavingOut: false).row
            object.manage(binding, row, isAdded: true)
        }
        return ObjectReference(classID: binding.schema.id, rowID: row)
    }

    /// Adds an object, and then the objects that it links to.
    private func addFirst(
        _ object: ObjectBase, _ binding: ClassBinding
    ) throws(StoreError) -> RowID {
        let (row, late) = try create(object, binding, leavingOut: true)
        guard !late.isEmpty else {
            object.manage(binding, row, isAdded: true)
            return row
        }
        // From here on, links to the object lead to its row, although it still keeps its own
        // values.
        object.represent(row, of: binding)
        do {
            for index in late { try finish(index, of: object, row, binding) }
        } catch {
            // The transaction can no longer be committed, so the object stays unmanaged.
            object.representNothing()
            throw error
        }
        binding.layout.manage(object, isAdded: true)
        return row
    }

    /// Creates the row of an object.
    ///
    /// - Parameter leavingOut: Whether links to unmanaged objects are left out.
    /// - Returns: The row, and the indices of the properties that were left out.
    private func create(
        _ object: ObjectBase, _ binding: ClassBinding, leavingOut: Bool
    ) throws(StoreError) -> (row: RowID, late: [Int]) {
        // Taken out of the property, because gathering the values may add other objects.
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
            // An existing object keeps the columns that the model does not know or that are set
            // later.
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
        // The state of the object that links to this one.
        let outer = (leavesOut, hasLeftOut)
        leavesOut = leavingOut
        defer { (leavesOut, hasLeftOut) = outer }
        var late: [Int] = []
        for column in binding.written {
            hasLeftOut = false
            let stored = column.access.stored(base + column.offset, links)
            try checkSuccess()
            if hasLeftOut {
                // The value may be required, as elements of lists are, so the whole property is set
                // later.
                values[column.position] = binding.template[column.position]
                late.append(column.index)
            } else {
                values[column.position] = stored.value
            }
        }
        return late
    }

    /// Sets a property that was left out, now that the object has a row.
    private func finish(
        _ index: Int, of object: ObjectBase, _ row: RowID, _ binding: ClassBinding
    ) throws(StoreError) {
        let outer = leavesOut
        leavesOut = false
        defer { leavesOut = outer }
        let field = binding.layout.address(of: index, in: object)
        let stored = binding.layout.properties[index].access.stored(field, _LinkEncoder(self))
        try checkSuccess()
        let property = binding.columns[index].id
        if policy == .modified {
            _ = try transaction.change(
                row, [(property, stored.value)], replaces: false, binding.schema)
        } else {
            try transaction.set(property, of: row, in: binding.schema.id, to: stored.value)
        }
    }
}
