extension ObjectBase {
    /// Accesses the value of a property by its name.
    ///
    /// - Parameter key: The name of a persisted property. The program stops if the property does
    ///   not exist or if the value has a different type.
    public final subscript(key: String) -> Any? {
        get {
            let layout = self.layout
            return something(in: layout.value(index(of: key, layout), of: self))
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
