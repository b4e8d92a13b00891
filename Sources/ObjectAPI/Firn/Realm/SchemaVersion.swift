import FirnEngine
import FirnQuery
public import Foundation

/// Returns the model version that a program last gave a file, or 0 if none did.
///
/// - Parameters:
///   - fileURL: The location of a database.
///   - encryptionKey: The encryption key, which must be `nil` as in
///     ``Realm/Configuration/encryptionKey``.
/// - Throws: ``Realm/Error``, with `fileNotFound` if the file does not exist.
public func schemaVersionAtURL(_ fileURL: URL, encryptionKey: Data? = nil) throws -> UInt64 {
    var configuration = Realm.Configuration(fileURL: fileURL)
    configuration.encryptionKey = encryptionKey
    try configuration.check()
    let path = try configuration.path()
    do {
        if let open = try RealmFile.openFile(path, configuration) {
            return try open.database.modelVersion()
        }
        let database = try Database.open(
            path, readOnly: true, services: configuration.services)
        let version = try database.modelVersion()
        try database.store.close()
        return version
    } catch {
        throw Realm.Error(error)
    }
}

extension Database {
    fileprivate func modelVersion() throws(StoreError) -> UInt64 {
        try snapshot().snapshot.modelVersion ?? 0
    }
}
