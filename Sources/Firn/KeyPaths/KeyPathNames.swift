import FirnPlatform

/// The names of the persisted properties that key paths stand for.
///
/// A key path does not tell its name. It is applied to objects that write down what is read of
/// them: `\.address?.city` reads `address`, and then `city` of what that gave. What comes out must
/// be what the last property gave, in two tries with different values: a computed property would
/// have to change nothing, and then it means the same.
enum KeyPathNames {
    /// The path of a property of an object, or of the object of a projection.
    ///
    /// - Complexity: O(1) after the first call for the key path
    static func name<Root>(of keyPath: PartialKeyPath<Root>) -> String {
        guard let name = nameIfPersisted(of: keyPath) else {
            misuse(
                "\(keyPath) is no persisted property of \(Root.self): computed properties and "
                    + "those without @Persisted are not in the database")
        }
        return name
    }

    /// The path of a property; `nil` of a computed property and of one that is not persisted.
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

    /// Key paths never change, whatever their type says about threads.
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
        let result = root[keyPath: keyPath]
        guard let last = recorder.reads.last else { return nil }
        for (read, next) in zip(recorder.reads, recorder.reads.dropFirst())
        where !next.path.hasPrefix(read.path + ".") { return nil }
        return isSame(result, last.value) || isElement(result, of: last.value) ? last.path : nil
    }

    /// The paths of all properties that a key path reads first of its root object: of
    /// `\.address?.city.localizedUppercase` `address.city`.
    static func origins<Root>(of keyPath: PartialKeyPath<Root>) -> [String] {
        recorded(keyPath).origins
    }

    /// The paths of the properties whose changes change what a key path gives: those of
    /// ``origins(of:)`` and, of a projected collection, behind them those of its elements.
    ///
    /// They come from the key path alone: a link on the way may be nil now.
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
        let result = root[keyPath: keyPath]
        let paths = recorder.reads.map(\.path)
        let origins = paths.enumerated().filter { index, path in
            !paths[(index + 1)...].contains { $0.hasPrefix(path + ".") }
        }.map(\.element)
        return (origins, result)
    }

    /// Whether a value is an element of a collection that a recording object gave.
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

    /// What is in an optional, or in optionals in it; `nil` if that is nothing.
    static func unwrapped(_ value: Any) -> Any? {
        let mirror = Mirror(reflecting: value)
        guard mirror.displayStyle == .optional else { return value }
        return mirror.children.first.flatMap { unwrapped($0.value) }
    }
}

extension KeypathSortable {
    /// The name of a persisted property; the program stops if it is none.
    static func name(of keyPath: PartialKeyPath<Self>) -> String { KeyPathNames.name(of: keyPath) }
}

extension Object: KeypathSortable {}
extension EmbeddedObject: KeypathSortable {}
