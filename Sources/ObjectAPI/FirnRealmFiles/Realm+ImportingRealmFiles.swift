public import Firn
import FirnEngine
import FirnValues
public import Foundation
import RealmFile
import RealmImport

extension Realm {
    /// Creates the file of a configuration with the contents of a file of Realm.
    ///
    ///     let old = documents.appendingPathComponent("default.realm")
    ///     if !Realm.fileExists(for: .defaultConfiguration) {
    ///         let result = try Realm.importRealmFile(at: old)
    ///         for message in result.messages { print(message) }
    ///     }
    ///     let realm = try Realm()
    ///
    /// Everything is imported: classes, primary keys, links, embedded objects, lists, sets and
    /// dictionaries, values of any type, and the schema version. The order of the objects is kept.
    /// The result describes all differences. The Realm file is only read, and can be of any version
    /// from 6 on of the Realm Core library, encrypted or not.
    ///
    /// The classes of the configuration supply what a Realm file does not have: the width of
    /// integers such as `Int32`, and the names of properties that are stored under other names.
    /// Classes and properties that only the Realm file has are imported too. If the configuration
    /// has a higher ``Configuration/schemaVersion`` than the Realm file, opening the realm runs its
    /// ``Configuration/migrationBlock``, as with a file of Realm.
    ///
    /// The database appears under its name only when it is complete and on disk. After an error,
    /// no file is left. The import takes as long as the file is large, and uses a bounded amount of
    /// memory: call this method on a thread that may wait.
    ///
    /// - Parameters:
    ///   - fileURL: The location of the Realm file. No process may have it open.
    ///   - encryptionKey: The 64 bytes of the key, if the file is encrypted. A key for a file that
    ///     is not encrypted is ignored. The database is not encrypted.
    ///   - configuration: A configuration whose file does not exist yet.
    ///   - classPrefix: A text before the names of all classes.
    ///   - copy: Whether to import a temporary copy, which is made beside the new file, because
    ///     another process may have the Realm file open.
    ///   - progress: A closure that is called repeatedly. An error that it throws stops the import.
    /// - Returns: The differences between the Realm file and the database.
    /// - Throws: ``RealmFileImportError`` if the Realm file cannot be imported, ``Realm/Error`` if
    ///   the database cannot be created, such as `fileExists`, or an error of `progress`.
    @discardableResult
    public static func importRealmFile(
        at fileURL: URL, encryptionKey: Data? = nil,
        to configuration: Configuration = .defaultConfiguration, classPrefix: String = "",
        copy: Bool = false, progress: (RealmFileImport.Progress) throws -> Void = { _ in }
    ) throws -> RealmFileImport {
        let path = try configuration.newFilePath()
        let creation: StoreCreation
        do { creation = try Store.create(path, services: configuration.services) } catch {
            throw Realm.Error(error)
        }
        // A database that has its name stays.
        defer { creation.abandon() }
        let source = try RealmFileSource(
            fileURL, key: encryptionKey.map(Array.init), copiedBeside: copy ? path : nil,
            configuration.services)
        let plan = RealmImportPlan(
            source.reader, prefix: classPrefix, models: configuration.modelDefinitions)
        var failure: (any Swift.Error)?
        var objectCount: UInt64 = 0
        do throws(RealmImportError) {
            let report = try creation.importRealm(source.reader, plan) { name, done, total in
                objectCount = total
                do {
                    try progress(RealmFileImport.Progress(name, done, of: total))
                    return true
                } catch {
                    failure = error
                    return false
                }
            }
            return RealmFileImport(
                URL(fileURLWithPath: path), source.reader, report, objectCount: objectCount)
        } catch {
            if let failure { throw failure }
            switch error {
            case .realm(let error): throw RealmFileSource.error(error, fileURL)
            case .store(let error): throw Realm.Error(error)
            case .stopped: throw CancellationError()
            }
        }
    }
}

extension RealmFileImport.Progress {
    fileprivate init(_ className: String, _ done: UInt64, of total: UInt64) {
        self.init(
            className: className, completedObjectCount: Int(clamping: done),
            totalObjectCount: Int(clamping: total))
    }
}
