import FirnEngine
import FirnQuery
import FirnValues
import Foundation

/// Converts values of any type to their stored form, based on the class in the file.
///
/// Objects inside the values may be given as dictionaries and arrays, from which they are created.
struct DynamicValues {
    private let instance: RealmInstance
    private let transaction: WriteTransaction
    private let policy: Realm.UpdatePolicy
    private let adding: ObjectAdding
    /// The copies of unmanaged objects inside the values.
    ///
    /// The value is `nil` if those objects become managed themselves.
    private let copies: ObjectCopies<RowID>?

    init(
        _ instance: RealmInstance, _ transaction: WriteTransaction, _ policy: Realm.UpdatePolicy,
        copies: ObjectCopies<RowID>? = nil
    ) {
        self.copies = copies
        self.instance = instance
        self.transaction = transaction
        self.policy = policy
        adding = ObjectAdding(instance, transaction)
        adding.policy = policy
        adding.copiesForeignObjects = true
    }

    /// Creates an object, or updates the one with its primary key.
    func put(_ value: Any, _ binding: ClassBinding) throws(StoreError) -> RowID {
        let given = ObjectValues(target: nil).given(value, binding.layout)
            .filter { binding.storesProperty($0.index) }
        if let row = try existing(given, binding) {
            copies?.note(row, of: value)
            var fields: [(property: PropertyID, value: Value)] = []
            for (index, value) in given where !binding.layout.properties[index].traits.isPrimaryKey
            {
                let property = binding.columns[index]
                fields.append((property.id, try stored(value, property, binding)))
            }
            _ = try transaction.change(
                row, fields, replaces: false, recordsEqual: policy == .all, binding.schema)
            return row
        }
        var values = binding.template
        var late: [(index: Int, value: Any)] = []
        for (index, value) in given {
            // The object gets its row before the objects that it links to, one of which may be the
            // object itself. Later properties are set after such a link.
            if binding.leadsToItself, binding.columns[index].mayLink,
                !late.isEmpty || !isNothing(value)
            {
                late.append((index, value))
            } else {
                values[binding.positions[index]] = try stored(
                    value, binding.columns[index], binding)
            }
        }
        let row = try create(values, binding)
        copies?.note(row, of: value)
        for (index, value) in late {
            let property = binding.columns[index]
            try transaction.set(
                property.id, of: row, in: binding.schema.id,
                to: try stored(value, property, binding))
        }
        return row
    }

    private func create(
        _ values: [Value], _ binding: ClassBinding
    ) throws(StoreError) -> RowID {
        let id = binding.schema.id
        guard let migration = instance.migration else {
            return try transaction.create(in: id, values)
        }
        return try migration.allowingEqualKeys(in: id) { () throws(StoreError) in
            try transaction.create(in: id, values)
        }
    }

    /// Sets a property of an object.
    func set(
        _ index: Int, of row: RowID, _ binding: ClassBinding, to value: Any
    ) throws(StoreError) {
        let property = binding.columns[index]
        if try isThere(value, property, of: row, binding) { return }
        let new = try stored(value, property, binding)
        if binding.schema.key == property.id, let migration = instance.migration {
            return try migration.allowingEqualKeys(in: binding.schema.id) {
                () throws(StoreError) in
                try transaction.set(property.id, of: row, in: binding.schema.id, to: new)
            }
        }
        guard binding.schema.key != property.id else {
            // A key cannot change, because other programs know the object by its key.
            guard try transaction.value(of: property, of: row, in: binding.schema) == new else {
                misuse(
                    "the primary key \(property.name) of a \(binding.layout.className) cannot be "
                        + "changed once the object is in a realm: make another object")
            }
            return
        }
        try transaction.set(property.id, of: row, in: binding.schema.id, to: new)
    }

    /// Returns whether a value is the embedded object that a property already contains.
    private func isThere(
        _ value: Any, _ property: PropertySchema, of row: RowID, _ binding: ClassBinding
    ) throws(StoreError) -> Bool {
        guard let access = (something(in: value) as? ObjectBase)?.access,
            access.instance === instance, access.binding.schema.isEmbedded
        else { return false }
        return try transaction.value(of: property, of: row, in: binding.schema)
            == .link(access.reference)
    }

    /// Returns the existing object with the primary key of the values, if it is to be updated.
    private func existing(
        _ given: [(index: Int, value: Any)], _ binding: ClassBinding
    ) throws(StoreError) -> RowID? {
        guard let key = binding.schema.keyProperty else { return nil }
        let index = binding.columns.firstIndex { $0.id == key.id }
        let value = given.first { $0.index == index }?.value
        guard value != nil || key.type.isOptional else {
            misuse(
                "a \(binding.layout.className) needs a value for its primary key \(key.name)")
        }
        guard policy != .error else { return nil }
        return try transaction.row(
            forKey: try value.map { value throws(StoreError) in
                try stored(value, key, binding)
            } ?? .null, in: binding.schema.id)
    }

    // MARK: Values

    private func stored(
        _ value: Any, _ property: PropertySchema, _ binding: ClassBinding
    ) throws(StoreError) -> Value {
        if let stored = try stored(value, property) { return stored }
        misuse(
            "\(value) is not a value for \(binding.layout.className).\(property.name), which is "
                + instance.snapshot.schema.typeName(property.type))
    }

    /// - Returns: `nil` if the value has a different type.
    private func stored(
        _ value: Any, _ property: PropertySchema
    ) throws(StoreError) -> Value? {
        let type = property.type
        guard let target = type.target.flatMap({ instance.snapshot.schema[$0] }) else {
            let field = PropertyLayout(property, isKey: false).field
            let copied = type.base == .any ? try copiedAny(value, type.container) : value
            let stored = field.encoded(copied, _LinkEncoder(adding))
            try adding.checkSuccess()
            return stored
        }
        let given = something(in: value)
        switch type.container {
        case .single: return try linkOrNull(value, target)
        case .list, .set:
            guard let given else { return type.placeholder }
            guard let elements = given as? any Sequence, !(given is String), !(given is Data) else {
                return nil
            }
            let links = try self.links(elements, target)
            return type.container == .list ? .list(links) : .set(links)
        case .map:
            guard let given else { return type.placeholder }
            guard let entries = Firn.entries(in: given) else { return nil }
            var links: TextMap<Value> = [:]
            for key in entries.orderedKeys {
                if let value = entries[key] { links[key] = try linkOrNull(value, target) }
            }
            return .map(links)
        }
    }

    private func links(
        _ elements: any Sequence, _ target: ClassSchema
    ) throws(StoreError) -> [Value] {
        var links: [Value] = []
        // Converted to an array first, because converting an element may change the collection.
        for element in elements.map({ $0 as Any }) { links.append(try link(element, target)) }
        return links
    }

    private func linkOrNull(_ value: Any, _ target: ClassSchema) throws(StoreError) -> Value {
        guard let given = something(in: value) else { return .null }
        return try link(given, target)
    }

    /// Returns a link to an object, which is created if it is given by its values.
    ///
    /// An object of another file, or an embedded object of another object, is copied.
    private func link(_ value: Any, _ target: ClassSchema) throws(StoreError) -> Value {
        let binding = instance.dynamicBinding(of: target)
        var values = self
        if let object = value as? ObjectBase {
            let isForeign = object.access.map { $0.instance.file !== instance.file } ?? false
            if isForeign || object.access == nil, !target.isEmbedded, let known = copies?[object] {
                return .link(ObjectReference(classID: target.id, rowID: known))
            }
            guard
                isForeign || copies != nil && object.access == nil
                    || target.isEmbedded && object.access != nil
            else {
                let link = adding.link(to: object)
                try adding.checkSuccess()
                return link
            }
            // Several objects may link to it.
            if isForeign, target.key != nil {
                values = DynamicValues(instance, transaction, .modified, copies: copies)
            }
        }
        return .link(
            ObjectReference(classID: target.id, rowID: try values.put(value, binding)))
    }
}

extension DynamicValues {
    /// Returns a value of type Any, or a collection of such values.
    ///
    /// Unmanaged objects inside it are copied if requested.
    private func copiedAny(
        _ value: Any, _ container: FirnValues.PropertyType.Container
    ) throws(StoreError) -> Any {
        guard copies != nil else { return value }
        if container == .map, let entries = entries(in: value) {
            var copied: TextMap<Any> = [:]
            for key in entries.orderedKeys {
                if let value = entries[key] { copied[key] = try copiedAny(value, .single) }
            }
            return copied
        }
        if container != .single, !isNothing(value), let values = value as? any Sequence {
            var copied: [Any] = []
            for value in values.map({ $0 as Any }) { copied.append(try copiedAny(value, .single)) }
            return copied
        }
        switch value {
        case AnyRealmValue.object(let object): return try copiedAny(object, .single)
        case AnyRealmValue.list(let list): return try copiedAny(list, .list)
        case AnyRealmValue.dictionary(let map): return try copiedAny(map, .map)
        case let object as Object where object.access?.instance.file !== instance.file:
            guard let target = instance.snapshot.schema.classNamed(object.layout.className),
                case .link(let reference) = try link(object, target)
            else { return value }
            return AnyRealmValue.object(instance.object(reference))
        default: return value
        }
    }
}

extension ObjectBase {
    /// Sets a property of a dynamic object, in a write transaction.
    final func writeDynamically(_ index: Int, _ value: Any) {
        guard let access, !access.isStale else { deleted() }
        let (instance, binding) = (access.instance, access.binding)
        var name: String {
            "\(binding.layout.className).\(binding.layout.properties[index].name)"
        }
        guard binding.storesProperty(index) else {
            misuse("\(name) cannot be set: change the property that it is the inverse of")
        }
        if let writes = instance.migration?.writes, writes.object?.row == access.row,
            collect(value, of: index, access, writes)
        {
            return
        }
        instance.change("set \(name)") { transaction throws(StoreError) in
            try checkingExistence(transaction) { () throws(StoreError) in
                try DynamicValues(instance, transaction, .error)
                    .set(index, of: access.row, binding, to: value)
            }
        }
    }

    /// Sets a property of the object for which a migration block is called.
    ///
    /// - Returns: `false` if the value must be set directly.
    private final func collect(
        _ value: Any, of index: Int, _ access: ObjectAccess, _ writes: MigrationWrites
    ) -> Bool {
        let (schema, property) = (access.binding.schema, access.binding.columns[index])
        guard writes.object?.classID == schema.id,
            MigrationWrites.collects(property, of: schema),
            let stored = access.binding.layout.properties[index].field
                .encoded(value, _LinkEncoder.refusing)
        else { return false }
        writes.set(property, to: stored)
        return true
    }
}
