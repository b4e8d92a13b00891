import FirnPlatform
import FirnValues

/// The names of the persisted properties that key paths refer to.
///
/// A key path does not reveal its name. It is applied to objects that record which properties are
/// read: `\.address?.city` reads `address`, and then `city` of the result. The final result must be
/// that of the last property, in two attempts with different values. A computed property could only
/// pass this test if it returned that property unchanged, and then it has the same meaning.
enum KeyPathNames {
    /// Returns the path of a property of an object, or of the object of a projection.
    ///
    /// - Complexity: O(1) after the first call for the key path
    static func name<Root>(of keyPath: PartialKeyPath<Root>) -> String {
        guard let name = nameIfPersisted(of: keyPath) else {
            misuse(
                "\(keyPath) is not a persisted property of \(Root.self): computed properties and "
                    + "those without @Persisted are not in the database")
        }
        return name
    }

    /// Returns the path of a property, or `nil` if it is computed or not persisted.
    ///
    /// - Complexity: O(1) after the first call for the key path of a persisted property
    static func nameIfPersisted<Root>(of keyPath: PartialKeyPath<Root>) -> String? {
        let key = Key(keyPath: keyPath, root: ObjectIdentifier(Root.self))
        if let name = known.withLock({ $0[key] }) { return name }
        guard let name = traced(keyPath, .first), name == traced(keyPath, .second) else {
            return nil
        }
        known.withLock { $0[key] = name }
        return name
    }

    /// A cache key.
    ///
    /// Key paths are immutable, although their type is not sendable.
    private struct Key: Hashable, @unchecked Sendable {
        let keyPath: AnyKeyPath
        let root: ObjectIdentifier
    }

    private static let known = Guarded<[Key: String]>([:])

    private static func traced<Root>(
        _ keyPath: PartialKeyPath<Root>, _ samples: KeyPathRecorder.Samples
    ) -> String? {
        // A key path that unwraps an optional cannot be applied to nil.
        let mayBeNil = type(of: keyPath).valueType is any OptionalProtocol.Type
        let recorder = KeyPathRecorder(samples, givesNil: mayBeNil)
        defer { recorder.forget() }
        guard let root = recorder.root(Root.self) else { return nil }
        let result = content(root[keyPath: keyPath])
        guard let last = recorder.reads.last else { return nil }
        for (read, next) in zip(recorder.reads, recorder.reads.dropFirst())
        where !next.path.hasPrefix(read.path + ".") { return nil }
        return isSame(result, last.value) || isElement(result, of: last.value) ? last.path : nil
    }

    /// Returns the paths of the persisted properties from which a key path derives its result.
    ///
    /// For example, the origin of `\.address?.city.localizedUppercase` is `address.city`.
    static func origins<Root>(of keyPath: PartialKeyPath<Root>) -> [String] {
        recorded(keyPath).origins
    }

    /// Returns the paths of the properties whose changes affect the result of a key path.
    ///
    /// These are the paths of ``origins(of:)``. For a projected collection, each path is followed
    /// by a path of its elements. The paths are derived from the key path alone, because a link of
    /// the path may be nil.
    static func observedOrigins<Root>(of keyPath: PartialKeyPath<Root>) -> [String] {
        let (origins, result) = recorded(keyPath)
        let content = result.flatMap { unwrapped($0) }
        guard let elements = content as? any _ProjectedValues else { return origins }
        return origins.flatMap { origin in elements._origins.map { "\(origin).\($0)" } }
    }

    private static func recorded<Root>(
        _ keyPath: PartialKeyPath<Root>
    ) -> (origins: [String], result: Any?) {
        let recorder = KeyPathRecorder(.first)
        defer { recorder.forget() }
        guard let root = recorder.root(Root.self) else { return ([], nil) }
        let result = content(root[keyPath: keyPath])
        let paths = recorder.reads.map(\.path)
        let origins = paths.enumerated().filter { index, path in
            !paths[(index + 1)...].contains { $0.hasPrefix(path + ".") }
        }.map(\.element)
        return (origins, result)
    }

    /// Returns the value of a property that is a separate object, whose key path reads no property.
    private static func content(_ result: Any) -> Any {
        (result as? any PropertyBoxing)?.boxedValue ?? result
    }

    /// Returns whether a value is an element of a collection of a recording object.
    private static func isElement(_ value: Any, of collection: Any) -> Bool {
        guard let recording = collection as? any RecordingCollection,
            let sample = recording.recordedElement
        else { return false }
        return isSame(value, sample)
    }

    private static func isSame(_ left: Any, _ right: Any) -> Bool {
        guard let left = unwrapped(left), let right = unwrapped(right) else {
            return unwrapped(left) == nil && unwrapped(right) == nil
        }
        if type(of: left) is AnyObject.Type, type(of: right) is AnyObject.Type {
            return left as AnyObject === right as AnyObject
        }
        if let left = left as? AnyHashable, let right = right as? AnyHashable {
            return left == right
        }
        return type(of: left) == type(of: right)
    }

    /// Returns the content of an optional, at any depth, or `nil` if there is none.
    static func unwrapped(_ value: Any) -> Any? {
        let mirror = Mirror(reflecting: value)
        guard mirror.displayStyle == .optional else { return value }
        return mirror.children.first.flatMap { unwrapped($0.value) }
    }
}

extension KeypathSortable {
    /// Returns the name of a persisted property.
    ///
    /// The program stops if it is not persisted.
    static func name(of keyPath: PartialKeyPath<Self>) -> String { KeyPathNames.name(of: keyPath) }
}

/// Returns the name of the persisted property, or the path of names, that a key path refers to.
///
/// The program stops if it refers to none.
public func _name<T: KeypathSortable>(for keyPath: PartialKeyPath<T>) -> String {
    KeyPathNames.name(of: keyPath)
}

extension ObjectBase: KeypathSortable {}
