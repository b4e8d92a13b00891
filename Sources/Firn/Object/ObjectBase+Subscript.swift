extension ObjectBase {
    /// The value of a property by its name.
    ///
    /// - Parameter key: of a persisted property; the program stops for another name, and for a value of
    ///   another type.
    public final subscript(key: String) -> Any? {
        get {
            let layout = self.layout
            return something(in: layout.value(place(of: key, layout), of: self))
        }
        set {
            let layout = self.layout
            let place = place(of: key, layout)
            let target = realm.map { (realm: $0, policy: Realm.UpdatePolicy.error) }
            // An optional inside of Any would be another type.
            let value: Any = newValue ?? Optional<Int>.none as Any
            if layout.isDynamic { return writeDynamically(place, value) }
            ObjectValues(target: target).set([(place, value)], of: self, layout)
        }
    }

    private final func place(of key: String, _ layout: ClassLayout) -> Int {
        guard let place = layout.place(of: key) else {
            guard access != nil || !(self is DynamicObject) else {
                misuse("a DynamicObject that is in no realm has no properties: use dynamicCreate()")
            }
            misuse(layout.missing(key))
        }
        return place
    }
}
