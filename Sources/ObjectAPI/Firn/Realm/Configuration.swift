package import FirnPlatform
import FirnValues
public import Foundation

extension Realm {
    /// The file of a realm, and the options for opening it.
    ///
    ///     var configuration = Realm.Configuration()
    ///     configuration.fileURL = folder.appendingPathComponent("notes.firn")
    ///     configuration.objectTypes = [Note.self, Tag.self]
    ///     let realm = try Realm(configuration: configuration)
    public struct Configuration: Sendable {
        /// The location of the file, or `nil` for a realm in memory.
        ///
        /// Setting this property clears ``inMemoryIdentifier``.
        public var fileURL: URL? {
            didSet { if fileURL != nil { inMemoryIdentifier = nil } }
        }
        /// The name of a realm in memory, which exists as long as it is in use.
        ///
        /// All users of the same name share the realm. Setting this property clears ``fileURL``.
        public var inMemoryIdentifier: String? {
            didSet { if inMemoryIdentifier != nil { fileURL = nil } }
        }
        /// The encryption key, which must be `nil`.
        ///
        /// This version cannot encrypt, and refuses to store data in the clear instead.
        public var encryptionKey: Data?
        /// A Boolean value that indicates whether the realm is opened for reading only.
        ///
        /// Classes of the model that the file lacks then have no objects. The classes that the file
        /// does have must have all properties of the model.
        public var readOnly: Bool
        /// The version of the model.
        ///
        /// A program increases it with each change of its classes that the file does not receive
        /// automatically: another type or primary key of a property, or another kind of class. If
        /// the file has a lower version, opening it is a ``Migration``. If it has a higher one,
        /// opening it throws ``Realm/Error``.
        public var schemaVersion: UInt64
        /// A closure that gives the objects of a file the values that a newer model expects.
        ///
        /// It is called when the file has classes and a lower version than ``schemaVersion``. Other
        /// processes and threads that open the file wait until the migration has ended.
        public var migrationBlock: MigrationBlock?
        /// A closure that is called repeatedly during a migration of many objects.
        ///
        /// It is called on the thread that opens the realm.
        public var migrationProgress: (@Sendable (MigrationProgress) -> Void)?
        /// A Boolean value that indicates whether to recreate a file that needs a migration.
        ///
        /// The file is deleted first, and ``migrationBlock`` is not called. This also applies if
        /// only ``schemaVersion`` differs.
        public var deleteRealmIfMigrationNeeded: Bool
        /// A closure that decides whether to compact the file.
        ///
        /// It is called when this process first opens the file. Its arguments are the size of the
        /// file and the size of its live data, in bytes.
        public var shouldCompactOnLaunch: (@Sendable (Int, Int) -> Bool)?
        /// The classes of the realm, or `nil` for all default classes of the program.
        ///
        /// Classes to which these classes link are included. Opening a realm stops the program if a
        /// listed class cannot be stored. Examples are a primary key that is not an integer,
        /// String, ObjectId or UUID; an embedded class that contains itself, or that no other class
        /// contains; and two classes of the same name. If the value is `nil`, such classes are left
        /// out, and only using them stops the program.
        public var objectTypes: [ObjectBase.Type]?
        /// A Boolean value that indicates whether realms advance even if nothing is observed.
        ///
        /// Realms of actors and queues, and of the main thread if its queue runs, then advance to
        /// the versions that others commit without ``Realm/refresh()``, while
        /// ``Realm/autorefresh`` is on. An actor sees another version only when it begins a new
        /// task or resumes after `await`. Waiting for commits needs one thread for each file.
        public var advancesAutomatically = false
        /// The maximum number of versions in use, or `nil` for no limit.
        ///
        /// The limit is checked when a write transaction begins.
        ///
        /// The count runs from the oldest version in use to the newest, which is the range that the
        /// file keeps. A version is in use while a realm of another thread, a frozen object or a
        /// ``ThreadSafeReference`` of this process shows it. A transaction that would exceed the
        /// limit throws ``Realm/Error``. Where nothing can be thrown, the program stops.
        public var maximumNumberOfActiveVersions: UInt?
        /// The file that is copied if ``fileURL`` does not exist.
        public var seedFilePath: URL?
        /// The replication of the file with a server; set by the module FirnUpstream.
        package var upstream: (any UpstreamProvider)?
        /// The services of a simulated machine, for tests.
        package var simulatedServices: SystemServices?

        /// Creates a configuration.
        ///
        /// Each parameter sets the property of the same name.
        public init(
            fileURL: URL? = Configuration.defaultFileURL, inMemoryIdentifier: String? = nil,
            encryptionKey: Data? = nil, readOnly: Bool = false, schemaVersion: UInt64 = 0,
            migrationBlock: MigrationBlock? = nil,
            deleteRealmIfMigrationNeeded: Bool = false,
            shouldCompactOnLaunch: (@Sendable (Int, Int) -> Bool)? = nil,
            objectTypes: [ObjectBase.Type]? = nil, seedFilePath: URL? = nil
        ) {
            self.fileURL = inMemoryIdentifier == nil ? fileURL : nil
            self.inMemoryIdentifier = inMemoryIdentifier
            self.encryptionKey = encryptionKey
            self.readOnly = readOnly
            self.schemaVersion = schemaVersion
            self.migrationBlock = migrationBlock
            self.deleteRealmIfMigrationNeeded = deleteRealmIfMigrationNeeded
            self.shouldCompactOnLaunch = shouldCompactOnLaunch
            self.objectTypes = objectTypes
            self.seedFilePath = seedFilePath
        }

        /// The configuration that ``Realm/init(queue:)`` opens.
        public static var defaultConfiguration: Configuration {
            get { defaults.withLock { $0 } }
            set { defaults.withLock { $0 = newValue } }
        }

        private static let defaults = Guarded(Configuration())

        /// The default location: `default.firn` in the documents folder of the user.
        ///
        /// If there is no such folder, the current directory is used. The folder is created when it
        /// is needed. The folder of any other file must already exist.
        public static var defaultFileURL: URL {
            let folder =
                FileManager.default.urls(for: .documentDirectory, in: .userDomainMask).first
                ?? URL(fileURLWithPath: FileManager.default.currentDirectoryPath)
            return folder.appendingPathComponent("default.firn")
        }
    }
}

extension Realm.Configuration {
    /// Checks the rules that can be checked without reading the file.
    func check() throws(Realm.Error) {
        if encryptionKey != nil {
            throw Realm.Error(
                .invalidInput, fileURL: fileURL,
                "encryption is not supported by this version: nothing was opened or stored")
        }
        if readOnly, deleteRealmIfMigrationNeeded {
            misuse("a configuration cannot be readOnly and deleteRealmIfMigrationNeeded")
        }
        if readOnly, upstream != nil {
            misuse("a file that is opened for reading only cannot be replicated")
        }
        if readOnly, shouldCompactOnLaunch != nil {
            misuse("a configuration cannot be readOnly and have shouldCompactOnLaunch")
        }
    }

    /// Returns the path of the file.
    func path() throws(Realm.Error) -> String {
        if let inMemoryIdentifier {
            guard !inMemoryIdentifier.isEmpty else {
                misuse("the identifier of a realm in memory must not be empty")
            }
            return MemoryRealm.path(inMemoryIdentifier)
        }
        guard let fileURL, fileURL.isFileURL, !fileURL.path.isEmpty else {
            misuse("a configuration needs a fileURL with a path, or an inMemoryIdentifier")
        }
        return fileURL.path
    }

    /// The operating system services through which the file is accessed.
    package var services: SystemServices { simulatedServices ?? .real }
}

extension Realm.Configuration: Equatable {
    /// Returns a Boolean value that indicates whether two configurations are equal.
    ///
    /// Blocks cannot be compared. Two blocks are considered equal if both are present or both are
    /// `nil`.
    public static func == (left: Realm.Configuration, right: Realm.Configuration) -> Bool {
        left.fileURL == right.fileURL && left.inMemoryIdentifier == right.inMemoryIdentifier
            && left.encryptionKey == right.encryptionKey && left.readOnly == right.readOnly
            && left.schemaVersion == right.schemaVersion
            && (left.migrationBlock == nil) == (right.migrationBlock == nil)
            && (left.migrationProgress == nil) == (right.migrationProgress == nil)
            && left.deleteRealmIfMigrationNeeded == right.deleteRealmIfMigrationNeeded
            && (left.shouldCompactOnLaunch == nil) == (right.shouldCompactOnLaunch == nil)
            && left.objectTypes.map { $0.map(ObjectIdentifier.init) }
                == right.objectTypes.map { $0.map(ObjectIdentifier.init) }
            && left.advancesAutomatically == right.advancesAutomatically
            && left.maximumNumberOfActiveVersions == right.maximumNumberOfActiveVersions
            && left.seedFilePath == right.seedFilePath
            && hasEqualUpstreams(left, right)
    }

    static func hasEqualUpstreams(
        _ left: Realm.Configuration, _ right: Realm.Configuration
    ) -> Bool {
        guard let first = left.upstream, let second = right.upstream else {
            return (left.upstream == nil) == (right.upstream == nil)
        }
        return first.isEqual(to: second)
    }
}

extension Realm.Configuration: CustomStringConvertible {
    /// The properties, one per line.
    ///
    /// Only the length of an encryption key is shown.
    public var description: String {
        let types = objectTypes?.map { $0.className() }.joined(separator: ", ")
        var facts: [(String, Any?)] = [
            ("fileURL", fileURL), ("inMemoryIdentifier", inMemoryIdentifier),
            ("encryptionKey", encryptionKey.map { "\($0.count) bytes" }), ("readOnly", readOnly),
            ("schemaVersion", schemaVersion),
            ("migrationBlock", migrationBlock.map { _ in "a block" }),
            ("deleteRealmIfMigrationNeeded", deleteRealmIfMigrationNeeded),
            ("shouldCompactOnLaunch", shouldCompactOnLaunch.map { _ in "a block" }),
            ("objectTypes", types.map { "[\($0)]" }),
            ("maximumNumberOfActiveVersions", maximumNumberOfActiveVersions),
            ("seedFilePath", seedFilePath),
        ]
        if let upstream { facts.append(("syncConfiguration", upstream)) }
        let lines = facts.map { "\t\($0) = \($1.map { "\($0)" } ?? "nil");\n" }
        return "Realm.Configuration {\n" + lines.joined() + "}"
    }
}
