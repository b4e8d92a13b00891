public import Dispatch
import FirnEngine
import FirnPlatform
import FirnValues
public import Foundation

/// A database as seen by one thread, queue or actor.
///
///     let realm = try Realm()
///     try realm.write {
///         realm.add(Person())
///     }
///     let adults = realm.objects(Person.self).filter("age >= 18")
///
/// A realm shows one version of its file. It advances to the newest version when ``refresh()`` is
/// called and when a write transaction begins. While something in the realm is observed, it also
/// advances automatically. A realm and everything that was read from it may only be used where the
/// realm was opened. To use them elsewhere, see ``ThreadSafeReference`` and ``freeze()``.
public struct Realm {
    let instance: RealmInstance

    init(_ instance: RealmInstance) { self.instance = instance }

    /// Opens the default realm.
    ///
    /// - Parameter queue: The serial queue on which the realm is used, or `nil` for the current
    ///   thread.
    /// - Throws: ``Realm/Error``
    public init(queue: DispatchQueue? = nil) throws {
        try self.init(configuration: .defaultConfiguration, queue: queue)
    }

    /// Opens a realm at a location, with the other options of the default configuration.
    ///
    /// - Parameter fileURL: The location of the file, which is created if it does not exist.
    /// - Throws: ``Realm/Error``
    public init(fileURL: URL) throws {
        var configuration = Configuration.defaultConfiguration
        configuration.fileURL = fileURL
        try self.init(configuration: configuration)
    }

    /// Opens a realm.
    ///
    /// If a realm of the same file is already open on this thread, queue or actor, it is returned,
    /// even for a configuration with other classes. If it shows a version of the file without these
    /// classes, it advances to the newest.
    ///
    /// - Parameters:
    ///   - configuration: The file, and the options for opening it.
    ///   - queue: The serial queue on which the realm is used, or `nil` for the current thread.
    /// - Throws: ``Realm/Error``
    public init(configuration: Configuration, queue: DispatchQueue? = nil) throws {
        let confinement = queue.map { Confinement.of($0) } ?? .ofCaller
        guard confinement.isOfCaller else {
            misuse(
                "Realm(queue:) of the queue \"\(queue?.label ?? "")\" on \(Confinement.here): open "
                    + "the realm in a block of that queue")
        }
        let file = try RealmFile.open(configuration)
        do {
            self.init(try file.instance(confinement, for: configuration))
        } catch {
            throw Realm.Error(error)
        }
        try file.upstream.subscribeOnce(self)
    }
}

extension Realm: Equatable {
    /// Returns a Boolean value that indicates whether two realms are the same instance.
    ///
    /// Realms of one file are the same instance if they were opened for the same thread, queue or
    /// actor.
    public static func == (left: Realm, right: Realm) -> Bool { left.instance === right.instance }
}

extension Realm {
    /// The configuration with which the realm was opened.
    public var configuration: Configuration { instance.file.configuration }

    /// A Boolean value that indicates whether a write transaction of this realm is open.
    public var isInWriteTransaction: Bool { instance.transaction != nil }

    /// A Boolean value that indicates whether the realm is frozen.
    ///
    /// A frozen realm shows a version that never changes, and can be used on any thread.
    public var isFrozen: Bool { instance.isFrozen }
}

extension Realm {
    /// The action when an added object has the primary key of an existing object.
    public enum UpdatePolicy: Int, Sendable {
        /// Treat the existing object as a programming error, which stops the program.
        case error = 1
        /// Set only the properties of the existing object that differ.
        case modified = 3
        /// Set all properties of the existing object, and report all of them to its observers.
        case all = 2
    }

    static func noKeyToUpdateBy(_ type: ObjectBase.Type) -> String {
        "\(type.className()) has no primary key to update by: declare one with "
            + "@Persisted(primaryKey: true), or leave update out"
    }
}
