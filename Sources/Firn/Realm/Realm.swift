public import Dispatch
import FirnEngine
import FirnPlatform
public import Foundation

/// A database, as one thread, queue or actor sees it.
///
///     let realm = try Realm()
///     try realm.write {
///         realm.add(Person())
///     }
///     let adults = realm.objects(Person.self).filter("age >= 18")
///
/// A realm shows one version of its file. It moves on to the newest when ``refresh()`` is called, when a
/// write transaction begins and, while something of it is observed, by itself. A realm and everything that came out of it may only be used
/// where it was opened; see ``ThreadSafeReference`` and ``freeze()``.
public struct Realm {
    let instance: RealmInstance

    init(_ instance: RealmInstance) { self.instance = instance }

    /// Opens the default realm.
    ///
    /// - Parameter queue: the serial queue that the realm is used on; `nil`: this thread.
    /// - Throws: ``Realm/Error``
    public init(queue: DispatchQueue? = nil) throws {
        try self.init(configuration: .defaultConfiguration, queue: queue)
    }

    /// Opens a realm in a file, otherwise as the default configuration says.
    ///
    /// - Parameter fileURL: where the file is, or is to be.
    /// - Throws: ``Realm/Error``
    public init(fileURL: URL) throws {
        var configuration = Configuration.defaultConfiguration
        configuration.fileURL = fileURL
        try self.init(configuration: configuration)
    }

    /// Opens a realm.
    ///
    /// One that is open here already is the same realm, also for a configuration with other classes. If
    /// it shows a version of the file without them, it moves on to the newest.
    ///
    /// - Parameters:
    ///   - configuration: which, and how.
    ///   - queue: the serial queue that the realm is used on; `nil`: this thread.
    /// - Throws: ``Realm/Error``
    public init(configuration: Configuration, queue: DispatchQueue? = nil) throws {
        let confinement = queue.map { Confinement.of($0) } ?? .ofCaller
        guard confinement.isOfCaller else {
            misuse(
                "Realm(queue:) of the queue \"\(queue?.label ?? "")\" on \(Confinement.here): open "
                    + "the realm in a block of that queue")
        }
        let file = try RealmFile.open(configuration)
        do throws(StoreError) {
            self.init(try file.instance(confinement, for: configuration))
        } catch {
            throw Realm.Error(error)
        }
    }
}

extension Realm: Equatable {
    /// Whether both are the same instance: opened for the same thread, queue or actor.
    public static func == (left: Realm, right: Realm) -> Bool { left.instance === right.instance }
}

extension Realm {
    /// How the realm was opened.
    public var configuration: Configuration { instance.file.configuration }

    /// Whether a write transaction is open here.
    public var isInWriteTransaction: Bool { instance.transaction != nil }

    /// Whether this is a version that never changes, and may be used everywhere.
    public var isFrozen: Bool { instance.isFrozen }
}
