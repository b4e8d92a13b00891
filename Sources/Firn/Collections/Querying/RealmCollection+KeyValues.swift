import FirnEngine
import FirnQuery
import FirnValues
import Foundation

/// Values by the names of properties.
extension RealmCollection {
    /// The value of a property of each element, as an array.
    ///
    ///     let names = dogs.value(forKey: "name") as! [String]
    ///
    /// - Parameter key: a persisted property; the program stops if there is none. `"self"` gives
    ///   the elements.
    /// - Returns: an array of values of the type of the property.
    public func value(forKey key: String) -> Any? {
        guard key != "self" else { return Array(self) }
        guard let layout = elementLayout else {
            misuse("the elements are values and have no property \"\(key)\"")
        }
        guard let place = layout.place(of: key) else {
            misuse(layout.missing(key))
        }
        let field = layout.properties[place].field
        return field.array(
            of: map { element in
                guard let object = element as? ObjectBase else { misuse("no object") }
                return object.layout.value(place, of: object)
            })
    }

    /// The values at the end of a path over links, as an array, or one value over all elements.
    ///
    ///     dogs.value(forKeyPath: "owner.name")
    ///     dogs.value(forKeyPath: "@avg.age")
    ///
    /// - Parameter keyPath: properties with points between them, or `@count`, or `@min`, `@max`,
    ///   `@sum` or `@avg` with a property behind it.
    public func value(forKeyPath keyPath: String) -> Any? {
        if keyPath == "@count" { return count }
        let parts = keyPath.split(separator: ".", maxSplits: 1).map { String($0) }
        if parts.count == 2, parts[0].hasPrefix("@") {
            return aggregate(parts[0], parts[1])
        }
        guard parts.count == 2 else { return value(forKey: keyPath) }
        return map { element -> Any in
            var next: Any? = element
            for part in keyPath.split(separator: ".") {
                guard let object = next as? ObjectBase else { break }
                next = object[String(part)]
            }
            return next as Any
        }
    }

    /// Where the properties of the elements stand; `nil` of values.
    private var elementLayout: ClassLayout? {
        guard let type = Element.self as? ObjectBase.Type else { return nil }
        guard type == DynamicObject.self, let core = _core, let schema = core.elementClass else {
            return ClassLayout.of(type)
        }
        return core.instance.dynamicBinding(of: schema).layout
    }

    private func aggregate(_ function: String, _ property: String) -> Any? {
        let kind = kind(of: property)
        switch (function, kind) {
        case ("@avg", .decimal128): return average(ofProperty: property) as Decimal128?
        case ("@avg", _): return average(ofProperty: property) as Double?
        case ("@sum", .int): return sum(ofProperty: property) as Int
        case ("@sum", .decimal128): return sum(ofProperty: property) as Decimal128
        case ("@sum", _): return sum(ofProperty: property) as Double
        case ("@min", .int): return min(ofProperty: property) as Int?
        case ("@max", .int): return max(ofProperty: property) as Int?
        case ("@min", .date): return min(ofProperty: property) as Date?
        case ("@max", .date): return max(ofProperty: property) as Date?
        case ("@min", .decimal128): return min(ofProperty: property) as Decimal128?
        case ("@max", .decimal128): return max(ofProperty: property) as Decimal128?
        case ("@min", .any): return min(ofProperty: property) as AnyRealmValue?
        case ("@max", .any): return max(ofProperty: property) as AnyRealmValue?
        case ("@min", _): return min(ofProperty: property) as Double?
        case ("@max", _): return max(ofProperty: property) as Double?
        default: misuse("there is no operator \(function): use @count, @min, @max, @sum or @avg")
        }
    }

    private func kind(of property: String) -> ValueTag {
        guard let layout = elementLayout else { return Element._element.type.base }
        return layout.place(of: property).map { layout.properties[$0].declaration.type.base }
            ?? .double
    }

    /// Gives a property of every element a value, in a write transaction.
    ///
    /// - Parameters:
    ///   - value: of the type of the property; `nil` where that may be nil.
    ///   - key: a persisted property. The program stops if there is none.
    public func setValue(_ value: Any?, forKey key: String) {
        guard Element.self is ObjectBase.Type else {
            misuse("the elements are values and have no property \"\(key)\"")
        }
        if let core = _core, core.instance.transaction == nil {
            core.instance.change("set \(key)") { _ in }
        }
        for element in self {
            guard let object = element as? ObjectBase else { continue }
            object[key] = value
        }
    }
}

extension ObjectBase {
    /// Where the properties of the class stand.
    final var layout: ClassLayout { access?.binding.layout ?? ClassLayout.of(type(of: self)) }

    /// The value of a property as the database stores it; of objects in it nothing.
    final func storedValue(of name: String) -> Value {
        guard let value = self[name] as? any RealmCollectionValue, value._object == nil
        else { return .null }
        // Objects may also be in a value of type Any.
        return LinkLookup.value(of: value, in: nil) ?? .null
    }
}
