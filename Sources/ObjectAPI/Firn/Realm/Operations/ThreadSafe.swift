import FirnPlatform
import FirnValues

/// A variable for part of a realm that can be read on any thread.
///
///     @ThreadSafe var person = realm.objects(Person.self).first
///     queue.async { [person = $person] in
///         print(person.wrappedValue?.name ?? "deleted")
///     }
///
/// Each access returns the same object or collection in the realm of the thread that reads.
///
/// In the language mode of Swift 6, the attribute can be used for local variables, parameters and
/// properties of structures. The compiler lets a sendable closure capture only constants, so the
/// closure captures the projected value, as above. A sendable class also has only constants, so it
/// stores the variable as one:
///
///     final class Selection: Sendable {
///         let person: ThreadSafe<Person>
///
///         init(_ person: Person?) { self.person = ThreadSafe(wrappedValue: person) }
///     }
@propertyWrapper
public final class ThreadSafe<T: ThreadConfined>: @unchecked Sendable {
    private struct Source {
        let value: PortableSource<T>
        let configuration: Realm.Configuration

        /// Whether the file exists.
        ///
        /// Opening a removed file would create an empty one.
        var isThere: Bool {
            configuration.inMemoryIdentifier != nil || Realm.fileExists(for: configuration)
        }
    }

    private let lock = Lock()
    private var source: Source?

    /// Creates a variable.
    ///
    /// - Parameter wrappedValue: A managed value. The program stops otherwise.
    public init(wrappedValue: T?) {
        source = wrappedValue.map { ThreadSafe.source(of: $0) }
    }

    /// The variable itself, for closures and properties that cannot hold the wrapped variable.
    ///
    ///     Task.detached { [person = $person] in print(person.wrappedValue?.name ?? "deleted") }
    public var projectedValue: ThreadSafe { self }

    /// The value that was last assigned, in the realm of the current thread.
    ///
    /// The value is `nil` if it was deleted in the meantime or if its file was removed. The program
    /// stops if the realm cannot be opened on this thread.
    public var wrappedValue: T? {
        get {
            guard let source = lock.withLock({ source }), source.isThere else { return nil }
            do {
                return source.value.found(in: try Realm(configuration: source.configuration))
            } catch {
                misuse("a @ThreadSafe variable cannot open its realm: \(error)")
            }
        }
        set {
            let source = newValue.map { ThreadSafe.source(of: $0) }
            lock.withLock { self.source = source }
        }
    }

    private static func source(of value: T) -> Source {
        guard let realm = value.realm else {
            misuse("only what a realm manages can be @ThreadSafe: add the object first")
        }
        return Source(value: PortableSource(value), configuration: realm.configuration)
    }
}
