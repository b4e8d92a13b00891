import FirnPlatform
public import Foundation

extension Realm {
    /// Which file a realm is, and how it is opened.
    ///
    ///     var configuration = Realm.Configuration()
    ///     configuration.fileURL = folder.appendingPathComponent("notes.firn")
    ///     configuration.objectTypes = [Note.self, Tag.self]
    ///     let realm = try Realm(configuration: configuration)
    public struct Configuration: Sendable {
        /// The file; `nil` of a realm in memory.
        ///
        /// Setting it clears ``inMemoryIdentifier``.
        public var fileURL: URL? {
            didSet { if fileURL != nil { inMemoryIdentifier = nil } }
        }
        /// The name of a realm in memory, which lives while somebody uses it.
        ///
        /// All who use the name share the realm. Setting it clears ``fileURL``.
        public var inMemoryIdentifier: String? {
            didSet { if inMemoryIdentifier != nil { fileURL = nil } }
        }
        /// Must be `nil`: this version cannot encrypt, and refuses to store in the clear instead.
        public var encryptionKey: Data?
        /// Whether nothing can be written.
        ///
        /// Classes of the model that the file lacks have no objects then; the properties of its classes must
        /// all be there.
        public var readOnly: Bool
        /// The version of the model.
        public var schemaVersion: UInt64
        /// Whether a file whose classes do not fit the model is deleted and begun anew.
        public var deleteRealmIfMigrationNeeded: Bool
        /// Asked when the file is opened first in this process, with the size of the file and of what is
        /// used of it, in bytes: whether to compact it.
        public var shouldCompactOnLaunch: (@Sendable (Int, Int) -> Bool)?
        /// The classes of the realm, and with them those that they link to; `nil`: all of the program that
        /// want to be in it.
        ///
        /// Opening a realm stops the program if a class cannot be stored: one whose primary key is no
        /// integer, String, ObjectId or UUID, an embedded one that contains itself or that no other class
        /// has, two of the same name, and so on.
        public var objectTypes: [ObjectBase.Type]?
        /// The most versions that may be in use when a write transaction begins; `nil`: any number.
        ///
        /// They are counted from the oldest one that a realm of another thread, something frozen or a
        /// ``ThreadSafeReference`` of this process shows to the newest: that is what the file keeps. A
        /// transaction that would begin with more of them throws ``Realm/Error``, and where nothing can be
        /// thrown the program stops.
        public var maximumNumberOfActiveVersions: UInt?
        /// A file that is copied when ``fileURL`` does not exist.
        public var seedFilePath: URL?

        /// Makes a configuration.
        ///
        /// Its parameters are its properties.
        public init(
            fileURL: URL? = Configuration.defaultFileURL, inMemoryIdentifier: String? = nil,
            encryptionKey: Data? = nil, readOnly: Bool = false, schemaVersion: UInt64 = 0,
            deleteRealmIfMigrationNeeded: Bool = false,
            shouldCompactOnLaunch: (@Sendable (Int, Int) -> Bool)? = nil,
            objectTypes: [ObjectBase.Type]? = nil, seedFilePath: URL? = nil
        ) {
            self.fileURL = inMemoryIdentifier == nil ? fileURL : nil
            self.inMemoryIdentifier = inMemoryIdentifier
            self.encryptionKey = encryptionKey
            self.readOnly = readOnly
            self.schemaVersion = schemaVersion
            self.deleteRealmIfMigrationNeeded = deleteRealmIfMigrationNeeded
            self.shouldCompactOnLaunch = shouldCompactOnLaunch
            self.objectTypes = objectTypes
            self.seedFilePath = seedFilePath
        }

        /// What ``Realm/init(queue:)`` opens.
        public static var defaultConfiguration: Configuration {
            get { defaults.withLock { $0 } }
            set { defaults.withLock { $0 = newValue } }
        }

        private static let defaults = Guarded(Configuration())

        /// `default.firn` in the folder that the system gives programs for their data.
        ///
        /// The folder is made when it is needed; that of another file must exist.
        public static var defaultFileURL: URL {
            let folder =
                FileManager.default.urls(for: .documentDirectory, in: .userDomainMask).first
                ?? URL(fileURLWithPath: FileManager.default.currentDirectoryPath)
            return folder.appendingPathComponent("default.firn")
        }
    }
}

extension Realm.Configuration {
    /// What can be known to be wrong without looking at the file.
    func check() throws(Realm.Error) {
        if encryptionKey != nil {
            throw Realm.Error(
                .invalidInput, fileURL: fileURL,
                "encryption is not supported by this version: nothing was opened or stored")
        }
        if readOnly, deleteRealmIfMigrationNeeded {
            misuse("a configuration cannot be readOnly and deleteRealmIfMigrationNeeded")
        }
        if readOnly, shouldCompactOnLaunch != nil {
            misuse("a configuration cannot be readOnly and have shouldCompactOnLaunch")
        }
    }

    /// The path of the file.
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

    /// The machine that the file is on.
    var services: SystemServices { .real }
}
