extension ObjectBase {
    /// The value of a property by its name.
    ///
    /// - Parameter key: of a persisted property; the program stops for another name, and for a value of
    ///   another type.
    public final subscript(key: String) -> Any? {
        get {
            let layout = ClassLayout.of(type(of: self))
            let place = place(of: key, layout)
            let value = layout.properties[place].field.value(
                layout.address(of: place, in: self), of: self)
            return isNothing(value) ? nil : value
        }
        set {
            let layout = ClassLayout.of(type(of: self))
            let place = place(of: key, layout)
            let target = realm.map { (realm: $0, policy: Realm.UpdatePolicy.error) }
            // An optional inside of Any would be another type.
            let value: Any = newValue ?? Optional<Int>.none as Any
            ObjectValues(target: target).set([(place, value)], of: self, layout)
        }
    }

    private final func place(of key: String, _ layout: ClassLayout) -> Int {
        guard let place = layout.place(of: key) else {
            misuse(layout.missing(key))
        }
        return place
    }
}
