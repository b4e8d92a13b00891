import FirnEngine
import FirnQuery
import FirnValues
import Foundation

/// Accessing values by the names of properties.
extension RealmCollection {
    /// Returns an array of the values of a property of all elements.
    ///
    ///     let names = dogs.value(forKey: "name") as! [String]
    ///
    /// - Parameter key: A persisted property, or `"self"` for the elements. The program stops if
    ///   the property does not exist.
    /// - Returns: An array of values of the type of the property; those of a set are distinct.
    public func value(forKey key: String) -> Any? {
        guard key != "self" else { return Array(self) }
        guard let layout = elementLayout else {
            misuse("the elements are values and have no property \"\(key)\"")
        }
        guard let index = layout.index(of: key) else {
            misuse(layout.missing(key))
        }
        let field = layout.properties[index].field
        let values = map { element -> Any in
            guard let object = element as? ObjectBase else { misuse("no object") }
            return object.layout.value(index, of: object)
        }
        return field.array(
            of: self is MutableSet<Element> ? KeyPathValues.distinct(values) : values)
    }

    /// Returns an array of the values at the end of a path across links, or an aggregate.
    ///
    ///     dogs.value(forKeyPath: "owner.name")
    ///     dogs.value(forKeyPath: "@avg.age")
    ///     people.value(forKeyPath: "@distinctUnionOfArrays.dogs.name")
    ///
    /// - Parameter keyPath: Properties separated by periods. One of them may be an operator that
    ///   applies to the rest of the path: `@count`, `@min`, `@max`, `@sum`, `@avg`,
    ///   `@unionOfObjects`, `@unionOfArrays` or `@unionOfSets`, or one of the last three as
    ///   `@distinctUnionOf...`. The program stops if a property or an operator does not exist.
    public func value(forKeyPath keyPath: String) -> Any? {
        let parts = keyPath.split(separator: ".").map { String($0) }
        guard parts.count == 1, let key = parts.first, !key.hasPrefix("@") else {
            return KeyPathValues.value(at: parts[...], of: self)
        }
        return value(forKey: key)
    }

    /// The layout of the objects, or `nil` for values.
    private var elementLayout: ClassLayout? {
        let wrapped = (Element.self as? any OptionalProtocol.Type).flatMap { objectType(in: $0) }
        guard let type = Element.self as? ObjectBase.Type ?? wrapped else { return nil }
        guard type == DynamicObject.self, let core = _core, let schema = core.elementClass else {
            return ClassLayout.of(type)
        }
        return core.instance.dynamicBinding(of: schema).layout
    }

    private func objectType<T: OptionalProtocol>(in type: T.Type) -> ObjectBase.Type? {
        T.Wrapped.self as? ObjectBase.Type
    }

    /// Returns an aggregate of a property, which may be a path across links.
    func aggregate(_ function: String, _ property: String) -> Any? {
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
        default: misuse(KeyPathValues.unknown(function))
        }
    }

    private func kind(of property: String) -> ValueTag {
        guard let layout = elementLayout else { return Element._element.type.base }
        return layout.index(of: property).map { layout.properties[$0].declaration.type.base }
            ?? .double
    }

    /// Sets a property of every element, in a write transaction.
    ///
    /// - Parameters:
    ///   - value: A value of the type of the property, or `nil` if that is allowed.
    ///   - key: A persisted property. The program stops if it does not exist.
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
    /// The layout of the class.
    final var layout: ClassLayout { access?.binding.layout ?? ClassLayout.of(type(of: self)) }

    /// Returns the stored form of the value of a property, or null if it contains objects.
    final func storedValue(of name: String) -> Value {
        guard let value = self[name] as? any RealmCollectionValue, value._object == nil
        else { return .null }
        // A value of type Any may contain objects, too.
        return LinkLookup.value(of: value, in: nil) ?? .null
    }
}
