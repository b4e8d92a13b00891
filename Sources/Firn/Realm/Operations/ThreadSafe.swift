import FirnPlatform

/// A variable with something of a realm that may be read on every thread.
///
///     @ThreadSafe var person = realm.objects(Person.self).first
///     queue.async {
///         print(person?.name ?? "deleted")
///     }
///
/// Each reading gives the same thing of the realm of the thread that reads.
@propertyWrapper
public final class ThreadSafe<Confined: ThreadConfined>: @unchecked Sendable {
    private struct Source {
        let value: PortableSource<Confined>
        let configuration: Realm.Configuration

        /// Whether its file is: to open a file that was removed would make an empty one.
        var isThere: Bool {
            configuration.inMemoryIdentifier != nil || Realm.fileExists(for: configuration)
        }
    }

    private let lock = Lock()
    private var source: Source?

    /// Makes a variable.
    ///
    /// - Parameter wrappedValue: managed; the program stops otherwise.
    public init(wrappedValue: Confined?) {
        source = wrappedValue.map { ThreadSafe.source(of: $0) }
    }

    /// What was assigned last, of the realm of this thread; `nil` if it was deleted meanwhile, or all
    /// of its file was.
    ///
    /// The program stops if the realm cannot be opened here.
    public var wrappedValue: Confined? {
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

    private static func source(of value: Confined) -> Source {
        guard let realm = value.realm else {
            misuse("only what a realm manages can be @ThreadSafe: add the object first")
        }
        return Source(value: PortableSource(value), configuration: realm.configuration)
    }
}
