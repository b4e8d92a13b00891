import FirnEngine
import FirnValues

/// Values for the properties of an object, given as a dictionary, an array or another object.
///
///     ["name": "Rex", "owner": ["id": 3]]      by name; nested objects in the same form
///     ["Rex", 3]                               in the order of the declaration
///     otherDog                                 the properties of the same names
struct ObjectValues {
    /// Where nested objects are made; `nil`: they stay unmanaged.
    let target: (realm: Realm, policy: Realm.UpdatePolicy)?

    /// The values that are given, by place.
    func given(_ value: Any, _ layout: ClassLayout) -> [(place: Int, value: Any)] {
        // In this order: the cast to a class makes an object of Foundation of a dictionary.
        if let fields = value as? [String: Any] {
            let found = layout.properties.indices.compactMap { place in
                fields[layout.properties[place].name].map { (place, $0) }
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

    /// Stops the program for a name that is no property, as a misspelt one.
    private func checkNames(_ names: some Sequence<String>, _ layout: ClassLayout) {
        let ignored = layout.type.ignoredProperties()
        for name in names.sorted() where layout.place(of: name) == nil {
            guard ignored.contains(name) else { misuse(layout.missing(name)) }
        }
    }

    private func copied(_ object: ObjectBase, _ layout: ClassLayout) -> [(place: Int, value: Any)] {
        let source = object.layout
        return layout.properties.indices.compactMap { place in
            let property = layout.properties[place]
            guard !property.declaration.isInverse, let from = source.place(of: property.name) else {
                return nil
            }
            return (place, source.value(from, of: object))
        }
    }

    /// Gives the properties of an object their values.
    func set(_ values: [(place: Int, value: Any)], of object: ObjectBase, _ layout: ClassLayout) {
        for (place, value) in values {
            let property = layout.properties[place]
            guard !property.declaration.isInverse else { continue }
            let resolved = resolved(value, for: property)
            guard
                property.access.set(layout.address(of: place, in: object), object, resolved)
            else { refuse(value, for: property, layout) }
        }
    }

    private func refuse(
        _ value: Any, for property: ClassLayout.Property, _ layout: ClassLayout
    ) -> Never {
        misuse(
            "\(value) is no value for \(layout.type.className()).\(property.name), which is "
                + "\(property.declaration.description)")
    }

    /// Gives properties of an object of the realm their values, as an update of it: whether those count that
    /// it has already is up to the policy.
    func update(
        _ values: [(place: Int, value: Any)], of object: ObjectBase, _ policy: Realm.UpdatePolicy
    ) {
        guard let access = object.access else { return }
        let (instance, binding) = (access.instance, access.binding)
        let layout = binding.layout
        let given = values.filter { binding.storesPlace($0.place) }
            .map { (place: $0.place, value: resolved($0.value, for: layout.properties[$0.place])) }
        instance.change("update a \(layout.className)") { transaction throws(StoreError) in
            try instance.adding(transaction, policy) { adding throws(StoreError) in
                let links = _LinkEncoder(adding)
                var fields: [(property: PropertyID, value: Value)] = []
                for (place, value) in given {
                    let property = layout.properties[place]
                    guard let stored = property.field.encoded(value, links) else {
                        refuse(value, for: property, layout)
                    }
                    try adding.checkSuccess()
                    fields.append((binding.columns[place].id, stored))
                }
                _ = try transaction.change(
                    access.row, fields, replaces: false, recordsEqual: policy == .all,
                    binding.schema)
            }
        }
    }

    /// A value in which nested objects are objects.
    private func resolved(_ value: Any, for property: ClassLayout.Property) -> Any {
        if property.declaration.type.base == .any { return resolvedAny(value) }
        guard let type = property.declaration.target else { return value }
        switch property.declaration.type.container {
        case .single: return object(value, type)
        case .list, .set:
            guard !isNothing(value), let values = value as? any Sequence else { return value }
            return values.map { object($0, type) }
        case .map:
            guard let values = value as? [String: Any] else { return value }
            return values.mapValues { object($0, type) }
        }
    }

    private func resolvedAny(_ value: Any) -> Any {
        guard case .object(let object)? = value as? AnyRealmValue, isForeign(object),
            let copy = self.object(object, type(of: object)) as? Object
        else { return value }
        return AnyRealmValue.object(copy)
    }

    private func object(_ value: Any, _ type: ObjectBase.Type) -> Any {
        if isNothing(value) || value is any _CustomPersistable { return value }
        if let object = value as? ObjectBase, !isForeign(object) {
            guard object is DynamicObject, let access = object.access,
                access.binding.layout.className == type.className()
            else { return object }
            return access.instance.object(type, access.reference)
        }
        guard let target, !type.isEmbeddedClass, let objectType = type as? Object.Type else {
            return unmanaged(type, value)
        }
        // What has no key is always made anew.
        let hasKey = ClassLayout.of(type).properties.contains(where: \.traits.isPrimaryKey)
        return target.realm.create(
            objectType, value: value, update: hasKey ? target.policy : .error)
    }

    /// Whether an object must be copied: another realm has it, or, if it is embedded, a parent.
    private func isForeign(_ object: ObjectBase) -> Bool {
        guard let access = object.access else { return false }
        return access.instance !== target?.realm.instance || access.binding.schema.isEmbedded
    }

    /// An object that no realm has yet.
    private func unmanaged(_ type: ObjectBase.Type, _ value: Any) -> ObjectBase {
        let object = type.init()
        let layout = ClassLayout.of(type)
        set(given(value, layout), of: object, layout)
        return object
    }
}

extension _PropertyDeclaration: CustomStringConvertible {
    /// The type as it stands in a schema, such as `List<Dog>`.
    public var description: String { type.name(ofTarget: target?.className() ?? "Link") }
}

extension ObjectBase {
    /// Makes an unmanaged object with some values.
    ///
    ///     let dog = Dog(value: ["name": "Rex", "age": 3])
    ///
    /// - Parameter value: a dictionary by property name, an array in the order of the declaration, or
    ///   an object with properties of the same names; nested objects in the same form, which is also that
    ///   of `JSONSerialization`: a number goes into every property whose type can have it. What
    ///   is not given keeps its initial value. The program stops for a value of another type, and for a name
    ///   that is no property.
    public convenience init(value: Any) {
        self.init()
        let layout = ClassLayout.of(type(of: self))
        let values = ObjectValues(target: nil)
        values.set(values.given(value, layout), of: self, layout)
    }
}

extension Realm {
    /// Makes an object in the realm.
    ///
    /// - Parameters:
    ///   - type: a class of the realm.
    ///   - value: a dictionary by property name, an array in the order of the declaration, or an object
    ///     with properties of the same names, also of another realm; nested objects in the same form. The
    ///     program stops for a value of another type, and for a name that is no property.
    ///   - update: what happens if there is an object with its primary key: it gets the values that are
    ///     given, or those of them that differ, and keeps the others.
    /// - Returns: the object, which is managed.
    @discardableResult
    public func create<T: Object>(
        _ type: T.Type, value: Any = [:], update: UpdatePolicy = .error
    ) -> T {
        guard isInWriteTransaction else {
            misuse("create() outside of a write transaction: do it in realm.write { }")
        }
        let layout = ClassLayout.of(type)
        let values = ObjectValues(target: (self, update))
        let given = values.given(value, layout)
        if let existing = existing(type, given, layout, update) {
            // The key is what the object was found by.
            let others = given.filter { !layout.properties[$0.place].traits.isPrimaryKey }
            values.update(others, of: existing, update)
            return existing
        }
        let object = type.init()
        values.set(given, of: object, layout)
        add(object, update: update)
        return object
    }

    /// The object that has the primary key of the values already, if it is to be updated.
    private func existing<T: Object>(
        _ type: T.Type, _ given: [(place: Int, value: Any)], _ layout: ClassLayout,
        _ update: UpdatePolicy
    ) -> T? {
        guard update != .error else { return nil }
        guard let place = layout.properties.firstIndex(where: \.traits.isPrimaryKey) else {
            misuse(Realm.noKeyToUpdateBy(type))
        }
        // A key that is not given is what a new object begins with.
        let key =
            given.first { $0.place == place }?.value ?? layout.value(place, of: type.init())
        return object(ofType: type, forPrimaryKey: key)
    }
}
