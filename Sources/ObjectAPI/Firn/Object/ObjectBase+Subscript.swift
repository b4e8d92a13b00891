import FirnValues

extension ObjectBase {
    /// Accesses the value of a property by its name.
    ///
    /// A property of type ``AnyRealmValue`` has the value inside, or `nil`. An object to which a
    /// dynamic object links is of its class in the program, if the program declares it.
    ///
    /// - Parameter key: The name of a persisted property. The program stops if the property does
    ///   not exist or if the value has a different type.
    public final subscript(key: String) -> Any? {
        get {
            let layout = self.layout
            let value = something(in: layout.value(index(of: key, layout), of: self))
            if let any = value as? AnyRealmValue { return any.content }
            return layout.isDynamic ? value.map { declared($0) } : value
        }
        set {
            let layout = self.layout
            let index = index(of: key, layout)
            let target = realm.map { (realm: $0, policy: Realm.UpdatePolicy.error) }
            // An optional inside Any would be a different type.
            let value: Any = newValue ?? Optional<Int>.none as Any
            if layout.isDynamic { return writeDynamically(index, value) }
            ObjectValues(target: target).set([(index, value)], of: self, layout)
        }
    }

    /// Returns an object as an instance of its class in the program, if the program declares it.
    private final func declared(_ value: Any) -> Any {
        guard let object = value as? DynamicObject, let access = object.access,
            !access.instance.isOfMigration,
            let type = access.instance.file.layouts.first(where: {
                $0.className == access.binding.layout.className
            })?.type
        else { return value }
        return access.instance.object(type, access.reference)
    }

    private final func index(of key: String, _ layout: ClassLayout) -> Int {
        guard let index = layout.index(of: key) else {
            guard access != nil || !(self is DynamicObject) else {
                misuse("a DynamicObject that is in no realm has no properties: use dynamicCreate()")
            }
            misuse(layout.missing(key))
        }
        return index
    }
}
