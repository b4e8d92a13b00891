import Dispatch
import FirnEngine
import FirnPlatform
import FirnQuery
import FirnValues
import Foundation

/// A file that is open in this process, with one ``Database`` for all realms that show it.
final class RealmFile: Sendable {
    let database: Database
    let path: String
    let configuration: Realm.Configuration
    /// The classes of all configurations with which the file was opened, the first for each name.
    let knownLayouts: Guarded<[ClassLayout]>
    /// The queue on which asynchronous transactions wait for other writers, one at a time.
    ///
    /// The queue has a thread of its own. Otherwise the waiting transactions could take all threads
    /// that other writers need to finish.
    let beginnings = DispatchQueue(label: "firn.beginnings")
    /// The realm of each thread, queue and actor.
    private let instances = Guarded<[Confinement.Key: WeakInstance]>([:])

    /// The replication with a server, if the configuration has any.
    let upstream = FileUpstream()

    /// The watch that notifies the realms of newer versions.
    let watch = FileWatch()

    /// A weak reference to a realm.
    ///
    /// This is a class, because Swift 6.3.1 misreads an optional structure with a weak reference
    /// and another field.
    private final class WeakInstance: @unchecked Sendable {
        private(set) weak var instance: RealmInstance?
        /// The address of the instance, which is valid even while it is being freed.
        let id: ObjectIdentifier

        init(_ instance: RealmInstance) {
            self.instance = instance
            id = ObjectIdentifier(instance)
        }
    }

    private let identity: FileIdentity

    init(
        _ database: Database, _ identity: FileIdentity, _ path: String,
        _ configuration: Realm.Configuration, _ model: ModelSchema
    ) {
        self.database = database
        self.identity = identity
        self.path = path
        self.configuration = configuration
        knownLayouts = Guarded(model.layouts)
    }

    deinit {
        upstream.end()
        let id = ObjectIdentifier(self)
        RealmFile.open.withLock { open in
            if open[identity]?.id == id { open[identity] = nil }
        }
        guard configuration.inMemoryIdentifier != nil else { return }
        // The file can no longer be found. What cannot be removed only uses memory.
        try? database.store.close()
        _ = try? Store.deleteFiles(path, services: configuration.services)
    }

    /// The classes of the model.
    var layouts: [ClassLayout] { knownLayouts.withLock { $0 } }

    // MARK: Instances

    /// Returns the realm of a thread, queue or actor for one of the file's configurations.
    ///
    /// If the realm shows a version without some of the classes of the configuration, it advances
    /// to the newest version, which has them.
    func instance(
        _ confinement: Confinement, for other: Realm.Configuration
    ) throws(StoreError) -> RealmInstance {
        let instance = try self.instance(confinement)
        if configuration.readOnly {
            // The model may have more classes now than when the instance was created.
            try instance.showCompleted()
            return instance
        }
        let shown = instance.snapshot.snapshot
        guard instance.transaction == nil,
            try database.snapshot().snapshot.schemaVersion != shown.schemaVersion,
            !ModelSchema(other, path: path).isComplete(in: shown.schema)
        else { return instance }
        try instance.showNewestIfAny()
        instance.observation.schedule(instance)
        return instance
    }

    /// Returns the realm of a thread, queue or actor, creating it if necessary.
    func instance(_ confinement: Confinement) throws(StoreError) -> RealmInstance {
        if let known = instances.withLock({ $0[confinement.key]?.instance }),
            known.confinement.isSamePlace(as: confinement)
        {
            return known
        }
        let instance = RealmInstance(self, confinement, try newestSnapshot())
        instances.withLock { $0[confinement.key] = WeakInstance(instance) }
        return instance
    }

    /// Removes an instance that is being freed.
    ///
    /// - Complexity: O(1)
    func forget(_ instance: RealmInstance) {
        let id = ObjectIdentifier(instance)
        let key = instance.key
        instances.withLock { instances in
            if instances[key]?.id == id { instances[key] = nil }
        }
    }

    /// Returns a frozen realm of a version, which all users of that version share.
    func frozen(_ snapshot: DatabaseSnapshot) -> RealmInstance {
        let key = Confinement.Key.version(snapshot.version)
        // Both are returned from the lock, because freeing an instance takes the lock.
        let (instance, _) = instances.withLock { instances in
            let known = instances[key]?.instance
            if let known, shows(known, all: snapshot) { return (known, known) }
            let instance = RealmInstance(self, .everywhere, snapshot, isFrozen: true)
            instances[key] = WeakInstance(instance)
            return (instance, known ?? instance)
        }
        return instance
    }

    /// The realms that are in use, including frozen ones.
    var liveInstances: [RealmInstance] {
        instances.withLock { $0.values.compactMap(\.instance) }
    }

    /// Begins a transaction as soon as other writers have finished.
    func beginWaiting() throws(StoreError) -> WriteTransaction {
        let transaction = try database.beginWrite(
            waitNanoseconds: RealmFile.waitNanoseconds, isReplicated: upstream.session != nil)
        transaction.recordsRewrites = true
        return transaction
    }

    /// The maximum time that a transaction waits for other writers, effectively without limit.
    static let waitNanoseconds: UInt64 = 365 * 24 * 3600 * 1_000_000_000

    /// Refuses a transaction while too many versions are in use.
    ///
    /// - Parameters:
    ///   - newest: The version on which the transaction is based.
    ///   - writer: The realm of the transaction, which advances to that version.
    func checkActiveVersions(upTo newest: LSN, besides writer: RealmInstance) throws(StoreError) {
        guard let maximum = configuration.maximumNumberOfActiveVersions else { return }
        let shown = liveInstances.filter { $0 !== writer }
            .map { $0.shownVersion.withLock { $0 } }
        let oldest = min(shown.min() ?? newest, newest)
        let count = newest.rawValue - oldest.rawValue + 1
        guard count > maximum else { return }
        throw StoreError(
            .limitExceeded, path: path,
            detail:
                "\(count) versions of the realm are in use, and maximumNumberOfActiveVersions is "
                + "\(maximum)",
            remedy:
                "let go of what is frozen and of references that nobody resolves, and refresh or "
                + "invalidate the realms of other threads")
    }

    // MARK: Files of the process

    private final class WeakFile: @unchecked Sendable {
        private(set) weak var file: RealmFile?
        let id: ObjectIdentifier

        init(_ file: RealmFile) {
            self.file = file
            id = ObjectIdentifier(file)
        }
    }

    private static let open = Guarded<[FileIdentity: WeakFile]>([:])

    /// Makes this the file that other realms of the process share.
    func share() { RealmFile.open.withLock { $0[identity] = WeakFile(self) } }

    static func openFile(
        _ path: String, _ configuration: Realm.Configuration
    ) throws(StoreError) -> RealmFile? {
        do {
            guard let status = try configuration.services.files.status(of: path) else { return nil }
            return open.withLock { $0[status.identity]?.file }
        } catch {
            throw StoreError(error, doing: "open the database")
        }
    }
}

extension RealmFile {
    /// Logs that a write transaction was committed, if it changed anything.
    func log(_ version: LSN, after base: LSN) {
        guard version > base else { return }
        Logger.log(.debug, "committed version \(version.rawValue) of \(path)")
    }
}
