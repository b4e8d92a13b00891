import FirnPlatform
import FirnQuery

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
        /// Of a frozen realm, and so usable everywhere.
        let value: Confined
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
                let realm = try Realm(configuration: source.configuration)
                if let version = source.value.realm?.instance.snapshot.version,
                    version > realm.instance.snapshot.version, !realm.isInWriteTransaction
                {
                    realm.refresh()
                }
                return source.value._moved(to: realm)
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
        let reference = ThreadSafeReference(to: value)
        guard let frozen = reference.take() else {
            misuse("a reference that was just made is gone")
        }
        return Source(value: frozen, configuration: realm.configuration)
    }
}
