import FirnEngine
import FirnValues

/// Values for the properties of an object, given as a dictionary, an array or another object.
///
///     ["name": "Rex", "owner": ["id": 3]]      by name; nested objects in the same form
///     ["Rex", 3]                               in the order of the declaration
///     otherDog                                 the properties of the same names
struct ObjectValues {
    /// The realm in which nested objects are created, or `nil` if they stay unmanaged.
    let target: (realm: Realm, policy: Realm.UpdatePolicy)?
    /// The copies of unmanaged objects inside the values.
    ///
    /// The value is `nil` if those objects become managed themselves.
    var copies: ObjectCopies<ObjectBase>?

    /// Returns the given values with the indices of their properties.
    func given(_ value: Any, _ layout: ClassLayout) -> [(index: Int, value: Any)] {
        // This order matters, because casting a dictionary to a class creates an object of
        // Foundation.
        if let fields = value as? [String: Any] {
            let found = layout.properties.indices.compactMap { index in
                fields[layout.properties[index].name].map { (index, $0) }
            }
            if found.count < fields.count { checkNames(fields.keys, layout) }
            return found
        }
        if let values = value as? [Any] {
            let stored = layout.properties.indices.filter {
                !layout.properties[$0].declaration.isInverse
            }
            guard values.count <= stored.count else {
                misuse(
                    "\(values.count) values for the \(stored.count) properties of "
                        + "\(layout.className): give one for each, in their order, or a "
                        + "dictionary")
            }
            return Array(zip(stored, values))
        }
        if let object = value as? ObjectBase { return copied(object, layout) }
        misuse(
            "\(type(of: value)) cannot be the value of a \(layout.className): give a "
                + "dictionary, an array or an object")
    }

    /// Stops the program if a name does not match a property, for example because it is misspelled.
    private func checkNames(_ names: some Sequence<String>, _ layout: ClassLayout) {
        guard layout.isDynamic || layout.type != DynamicObject.self else {
            misuse("a DynamicObject that is in no realm has no properties: use dynamicCreate()")
        }
        let ignored = layout.type.ignoredProperties()
        for name in names.sorted() where layout.index(of: name) == nil {
            guard ignored.contains(name) else { misuse(layout.missing(name)) }
        }
    }

    private func copied(_ object: ObjectBase, _ layout: ClassLayout) -> [(index: Int, value: Any)] {
        let source = object.layout
        return layout.properties.indices.compactMap { index in
            let property = layout.properties[index]
            guard !property.declaration.isInverse, let from = source.index(of: property.name) else {
                return nil
            }
            return (index, source.value(from, of: object))
        }
    }

    /// Sets the properties of an object.
    func set(_ values: [(index: Int, value: Any)], of object: ObjectBase, _ layout: ClassLayout) {
        for (index, value) in values {
            let property = layout.properties[index]
            guard !property.declaration.isInverse else { continue }
            if object.access != nil, isThere(value, index, of: object, layout) { continue }
            let field = layout.address(of: index, in: object)
            let isSet = offer(resolved(value, for: property)) {
                property.access.set(field, object, $0)
            }
            guard isSet else { refuse(value, for: property, layout) }
        }
    }

    /// Returns whether a value is the embedded object that a property already contains.
    private func isThere(
        _ value: Any, _ index: Int, of object: ObjectBase, _ layout: ClassLayout
    ) -> Bool {
        guard let embedded = value as? EmbeddedObject, embedded.access != nil else { return false }
        return embedded.isSameObject(as: layout.value(index, of: object) as? ObjectBase)
    }

    /// Offers a value and, if it is refused, the stored form of an enumeration or a custom type.
    ///
    /// A property may have the stored type itself, such as the String of raw values. Most values are taken
    /// as they are, without the slow cast to a protocol.
    ///
    /// - Returns: Whether one was taken.
    private func offer(_ value: Any, to take: (Any) -> Bool) -> Bool {
        if take(value) { return true }
        guard let custom = value as? any _CustomPersistable else { return false }
        return take(custom._persisted)
    }

    private func refuse(
        _ value: Any, for property: PropertyLayout, _ layout: ClassLayout
    ) -> Never {
        misuse(
            "\(value) is not a value for \(layout.type.className()).\(property.name), which is "
                + "\(property.declaration.description)")
    }

    /// Sets properties of an object of the realm, as an update of the object.
    ///
    /// The policy determines whether values that do not differ are set, too.
    func update(
        _ values: [(index: Int, value: Any)], of object: ObjectBase, _ policy: Realm.UpdatePolicy
    ) {
        guard let access = object.access else { return }
        let (instance, binding) = (access.instance, access.binding)
        let layout = binding.layout
        let given = values.filter { binding.storesProperty($0.index) }
            .map { (index: $0.index, value: resolved($0.value, for: layout.properties[$0.index])) }
        instance.change("update a \(layout.className)") { transaction throws(StoreError) in
            try instance.adding(transaction, policy) { adding throws(StoreError) in
                let links = _LinkEncoder(adding)
                var fields: [(property: PropertyID, value: Value)] = []
                for (index, value) in given {
                    let property = layout.properties[index]
                    var stored: Value?
                    // Encoding stores embedded objects, so it is not tried again after a success.
                    _ = offer(value) {
                        stored = property.field.encoded($0, links)
                        return stored != nil
                    }
                    guard let stored else { refuse(value, for: property, layout) }
                    try adding.checkSuccess()
                    fields.append((binding.columns[index].id, stored))
                }
                _ = try transaction.change(
                    access.row, fields, replaces: false, recordsEqual: policy == .all,
                    binding.schema)
            }
        }
    }

    /// Returns a value in which nested objects are converted to objects.
    private func resolved(_ value: Any, for property: PropertyLayout) -> Any {
        let type = property.declaration.type
        if type.base == .any { return resolvedAny(value, type.container) }
        guard let target = property.declaration.target else { return value }
        switch type.container {
        case .single: return object(value, target)
        case .list, .set:
            guard !isNothing(value), let values = value as? any Sequence else { return value }
            return values.map { object($0, target) }
        case .map:
            guard let entries = entries(in: value) else { return value }
            return entries.mappingInOrder { object($0, target) }
        }
    }

    /// Returns a value of type Any, or a collection of such values.
    private func resolvedAny(
        _ value: Any, _ container: FirnValues.PropertyType.Container
    ) -> Any {
        if container == .map, let entries = entries(in: value) {
            return entries.mappingInOrder { resolvedAny($0, .single) }
        }
        if container != .single, !isNothing(value), let values = value as? any Sequence {
            return values.map { resolvedAny($0, .single) }
        }
        switch value {
        case AnyRealmValue.object(let object): return resolvedAny(object, .single)
        case let object as Object:
            guard let type = declaredType(of: object) else { return value }
            return (self.object(object, type) as? Object).map { AnyRealmValue.object($0) } ?? value
        case AnyRealmValue.list(let list) where list.containsObjects:
            return list.map { resolvedAny($0, .single) }
        case AnyRealmValue.dictionary(let map) where map.containsObjects:
            return map.entries.mappingInOrder { resolvedAny($0, .single) }
        case let values as [Any] where copies != nil: return values.map { resolvedAny($0, .single) }
        case let entries as [String: Any] where copies != nil:
            return TextMap(entries).mappingInOrder { resolvedAny($0, .single) }
        default: return value
        }
    }

    /// Returns the class of an object.
    ///
    /// For a dynamic object, this is the class of the same name, if the program declares one.
    private func declaredType(of object: Object) -> ObjectBase.Type? {
        guard object is DynamicObject else { return type(of: object) }
        let name = object.layout.className
        return target?.realm.instance.file.layouts.first { $0.className == name }?.type
    }

    private func object(_ value: Any, _ type: ObjectBase.Type) -> Any {
        if isNothing(value) || value is any _CustomPersistable { return value }
        if let object = value as? ObjectBase, isKept(object) {
            guard object is DynamicObject, let access = object.access,
                access.binding.layout.className == type.className()
            else { return object }
            return access.instance.object(type, access.reference)
        }
        if let object = value as? ObjectBase, let copy = copies?[object] { return copy }
        guard let target, !type.isEmbeddedClass, let objectType = type as? Object.Type else {
            return unmanaged(type, value)
        }
        // An object without a key is always created.
        let hasKey = ClassLayout.of(type).properties.contains(where: \.traits.isPrimaryKey)
        return create(
            objectType, value, in: target.realm, hasKey ? target.policy : .error)
    }

    /// Returns whether an object is used itself instead of being copied.
    private func isKept(_ object: ObjectBase) -> Bool {
        guard let access = object.access else { return copies == nil }
        // An embedded object already has a parent.
        guard !access.binding.schema.isEmbedded else { return false }
        guard let target else { return true }
        return access.instance === target.realm.instance
    }

    /// Returns a new unmanaged object.
    private func unmanaged(_ type: ObjectBase.Type, _ value: Any) -> ObjectBase {
        let object = type.init()
        let layout = ClassLayout.of(type)
        set(given(value, layout), of: object, layout)
        return object
    }

    // MARK: Creating

    /// Creates an object in a realm, or updates the one with its primary key.
    func create(
        _ type: Object.Type, _ value: Any, in realm: Realm, _ policy: Realm.UpdatePolicy
    ) -> Object {
        let layout = ClassLayout.of(type)
        let given = given(value, layout)
        if let existing = realm.existing(type, given, layout, policy) {
            copies?.note(existing, of: value)
            // The object was found by its key, so the key does not change.
            let others = given.filter { !layout.properties[$0.index].traits.isPrimaryKey }
            update(others, of: existing, policy)
            return existing
        }
        let object = type.init()
        guard realm.instance.binding(of: type).leadsToItself else {
            set(given, of: object, layout)
            realm.add(object, update: policy)
            copies?.note(object, of: value)
            return object
        }
        // The object gets its row before the objects that it links to.
        let links = given.filter { layout.properties[$0.index].mayLink }
        set(given.filter { !layout.properties[$0.index].mayLink }, of: object, layout)
        for (index, _) in links {
            // Initial values of the class are discarded. Required values are replaced later.
            let field = layout.address(of: index, in: object)
            _ = layout.properties[index].access.set(field, object, Optional<Int>.none as Any)
        }
        realm.add(object, update: policy)
        copies?.note(object, of: value)
        set(links, of: object, layout)
        return object
    }
}

extension PropertyLayout {
    /// Whether the property may link to other objects.
    fileprivate var mayLink: Bool {
        declaration.target != nil && !declaration.isInverse || declaration.type.base == .any
    }
}

extension _PropertyDeclaration: CustomStringConvertible {
    /// The type in the notation of a schema, such as `List<Dog>`.
    public var description: String { type.name(ofTarget: target?.className() ?? "Link") }
}

extension ObjectBase {
    /// Creates an unmanaged object with values.
    ///
    ///     let dog = Dog(value: ["name": "Rex", "age": 3])
    ///
    /// The value can also come from `JSONSerialization`: a number is accepted for every property
    /// whose type can represent it. Properties without a given value keep their initial values.
    ///
    /// - Parameter value: A dictionary by property name, an array in the order of the declarations,
    ///   or an object with properties of the same names. Nested objects are given in the same form,
    ///   or as objects, which are not copied unless they are embedded in another object. The
    ///   program stops if a property does not exist or a value has a different type.
    public convenience init(value: Any) {
        self.init()
        let layout = ClassLayout.of(type(of: self))
        let values = ObjectValues(target: nil)
        values.set(values.given(value, layout), of: self, layout)
    }
}

extension Realm {
    /// Creates an object in the realm.
    ///
    /// - Parameters:
    ///   - type: A class of the realm.
    ///   - value: A dictionary by property name, an array in the order of the declarations, or an
    ///     object with properties of the same names, which may belong to another realm. Nested
    ///     objects take the same form. Unmanaged objects are copied once each, and remain
    ///     unmanaged. Objects of this realm are linked. The program stops if a property does not
    ///     exist or a value has a different type.
    ///   - update: The action if an object with the same primary key exists. The object receives
    ///     the given values, or only those that differ, and keeps all others.
    /// - Returns: The managed object.
    @discardableResult
    public func create<T: Object>(
        _ type: T.Type, value: Any = [:], update: UpdatePolicy = .error
    ) -> T {
        guard isInWriteTransaction else {
            misuse("create() outside of a write transaction: do it in realm.write { }")
        }
        let values = ObjectValues(target: (self, update), copies: ObjectCopies())
        guard let object = values.create(type, value, in: self, update) as? T else {
            misuse("an object of another class than \(type) was made")
        }
        return object
    }

    /// Returns the existing object with the primary key of the values, if it is to be updated.
    fileprivate func existing(
        _ type: Object.Type, _ given: [(index: Int, value: Any)], _ layout: ClassLayout,
        _ update: UpdatePolicy
    ) -> Object? {
        guard update != .error else { return nil }
        guard let index = layout.properties.firstIndex(where: \.traits.isPrimaryKey) else {
            misuse(Realm.noKeyToUpdateBy(type))
        }
        // If no key is given, the initial key of a new object is used.
        let key =
            given.first { $0.index == index }?.value ?? layout.value(index, of: type.init())
        return object(ofType: type, forPrimaryKey: key)
    }
}
