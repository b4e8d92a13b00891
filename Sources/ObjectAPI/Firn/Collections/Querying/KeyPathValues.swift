import FirnValues
import Foundation

/// Values at the ends of textual key paths, across links, collections and operators.
enum KeyPathValues {
    /// Returns the value at the end of a path, or `nil` if a link or the value itself is nil.
    ///
    /// A step from a collection leads to an array with one value for each element.
    static func value(at path: ArraySlice<String>, of source: Any?) -> Any? {
        guard let key = path.first else { return source }
        let rest = path.dropFirst()
        switch source.flatMap({ something(in: $0) }) {
        case nil: return nil
        case let object as ObjectBase: return value(at: rest, of: object[key])
        case let map as any RealmKeyedCollection: return value(at: path, of: map)
        case let collection as any RealmCollection: return value(at: path, of: collection)
        case let values as [Any]: return value(at: path, of: values)
        case let other?:
            misuse("a \(type(of: other)) has no \"\(key)\": only objects and collections have keys")
        }
    }

    private static func value(
        at path: ArraySlice<String>, of collection: some RealmCollection
    ) -> Any? {
        let rest = path.dropFirst()
        switch path.first {
        case "@min", "@max", "@sum", "@avg":
            return collection.aggregate(
                path.first ?? "", rest.isEmpty ? "self" : rest.joined(separator: "."))
        default: return value(at: path, of: collection.map { $0 as Any })
        }
    }

    private static func value(
        at path: ArraySlice<String>, of map: some RealmKeyedCollection
    ) -> Any? {
        guard let key = path.first else { return map }
        let rest = path.dropFirst()
        switch key {
        case "@allKeys": return value(at: rest, of: map.keys)
        case "@allValues" where rest.isEmpty: return map.values
        case "@allValues": return value(at: rest, of: map.values as [Any])
        case _ where key.hasPrefix("@"): return value(at: path, of: map._valueCollection)
        default: return value(at: rest, of: map.value(forKey: key))
        }
    }

    private static func value(at path: ArraySlice<String>, of values: [Any]) -> Any? {
        let rest = path.dropFirst()
        switch path.first ?? "" {
        case "@count": return values.count
        case "@unionOfObjects": return union(values, rest)
        case "@distinctUnionOfObjects": return distinct(union(values, rest))
        case "@unionOfArrays", "@unionOfSets": return flattened(union(values, rest))
        case "@distinctUnionOfArrays", "@distinctUnionOfSets":
            return distinct(flattened(union(values, rest)))
        case let name where name.hasPrefix("@"): misuse(unknown(name))
        default: return values.map { value(at: path, of: $0) as Any }
        }
    }

    // MARK: Operators

    static func unknown(_ name: String) -> String {
        "there is no operator \(name): use @count, @min, @max, @sum, @avg, @unionOfObjects, "
            + "@unionOfArrays or @unionOfSets"
    }

    /// Returns the values of a path that are not nil.
    private static func union(_ values: [Any], _ path: ArraySlice<String>) -> [Any] {
        values.compactMap { element in
            let isElement = path.elementsEqual(["self"])
            let found: Any? = isElement ? element : value(at: path, of: element)
            return found.flatMap { something(in: $0) }
        }
    }

    /// Returns the elements of all collections.
    private static func flattened(_ collections: [Any]) -> [Any] {
        collections.flatMap { collection -> [Any] in
            switch collection {
            case let values as [Any]: values.flatMap { $0 is [Any] ? flattened([$0]) : [$0] }
            case let values as any RealmCollection: values.map { $0 as Any }
            case let map as any RealmKeyedCollection: map.values.map { $0 as Any }
            default:
                misuse("\(collection) is not a collection: use @unionOfObjects for single values")
            }
        }
    }

    /// Returns the first of each group of equal values.
    static func distinct(_ values: [Any]) -> [Any] {
        var seen: Set<AnyHashable> = []
        return values.filter { value in
            // Texts are compared by their bytes.
            let text = (something(in: value) as? String).map { AnyHashable(TextKey($0)) }
            guard let key = text ?? value as? AnyHashable else { return true }
            return seen.insert(key).inserted
        }
    }
}

extension RealmKeyedCollection {
    /// The values as a collection, whose aggregates the database computes.
    fileprivate var _valueCollection: AnyRealmCollection<Value> {
        (self as? Map<Key, Value>)?.valueCollection ?? AnyRealmCollection(List(unmanaged: values))
    }

    /// Returns the value of a key, or of a path of properties that starts with a key.
    ///
    /// - Parameter keyPath: A key, optionally followed by properties, separated by periods:
    ///   `"rex.owner.name"`. It may also start with `@allKeys`, `@allValues`, `@count`, or another
    ///   operator, which applies to the values; see ``RealmCollection/value(forKeyPath:)``.
    public func value(forKeyPath keyPath: String) -> Any? {
        KeyPathValues.value(at: keyPath.split(separator: ".").map { String($0) }[...], of: self)
    }
}

extension List {
    /// Returns the values of a property of all elements as objects of Foundation.
    ///
    /// - Parameter key: A persisted property, or `"self"` for the elements.
    @_disfavoredOverload
    public func value(forKey key: String) -> [AnyObject] {
        foundationObjects(value(forKey: key) as Any?)
    }
}

extension MutableSet {
    /// Returns the values of a property of all elements as objects of Foundation.
    ///
    /// - Parameter key: A persisted property, or `"self"` for the elements.
    @_disfavoredOverload
    public func value(forKey key: String) -> [AnyObject] {
        foundationObjects(value(forKey: key) as Any?)
    }
}

private func foundationObjects(_ values: Any?) -> [AnyObject] {
    ((values as? [Any]) ?? []).map { foundationObject($0) }
}

/// Returns the object of Foundation with a value, or the value itself if that is an object already.
///
/// On Linux, a cast to `AnyObject` would only wrap a number or a text.
private func foundationObject(_ value: Any) -> AnyObject {
    guard let value = something(in: value) else { return NSNull() }
    if let custom = value as? any _CustomPersistable { return foundationObject(custom._persisted) }
    return switch value {
    case let text as String: text as NSString
    case let flag as Bool where type(of: value) == Bool.self: NSNumber(value: flag)
    case let number as any BinaryInteger: NSNumber(value: Int64(clamping: number))
    case let number as Float: NSNumber(value: number)
    case let number as Double: NSNumber(value: number)
    case let date as Date: date as NSDate
    case let data as Data: data as NSData
    case let id as Foundation.UUID: id as NSUUID
    default: value as AnyObject
    }
}
