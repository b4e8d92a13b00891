import FirnEngine
import FirnPlatform
import FirnQuery
import FirnValues
public import Foundation

/// Files of realms.
extension Realm {
    /// Returns a Boolean value that indicates whether the file of a configuration exists.
    public static func fileExists(for configuration: Configuration) -> Bool {
        guard let path = try? configuration.path() else { return false }
        return (try? configuration.services.files.status(of: path)) != nil
    }

    /// Deletes the file of a configuration and its auxiliary files.
    ///
    /// - Returns: A Boolean value that indicates whether there was a file.
    /// - Throws: ``Realm/Error`` with `alreadyOpen` if this or another process has the file open.
    public static func deleteFiles(for configuration: Configuration) throws -> Bool {
        let path = try configuration.path()
        do throws(StoreError) {
            guard try RealmFile.openFile(path, configuration) == nil else {
                throw StoreError(
                    .lockHeld, path: path,
                    detail: "files of an open realm cannot be deleted",
                    remedy: "let go of all realms, objects and collections of it first")
            }
            return try Store.deleteFiles(path, services: configuration.services)
        } catch {
            throw Realm.Error(error)
        }
    }

    /// Writes a compacted copy of the realm, including the changes of an open transaction.
    ///
    /// - Parameters:
    ///   - fileURL: The location of the copy, where no file may exist.
    ///   - encryptionKey: The encryption key, which must be `nil` as in
    ///     ``Configuration/encryptionKey``.
    /// - Throws: ``Realm/Error``. In that case, no file is left.
    public func writeCopy(toFile fileURL: URL, encryptionKey: Data? = nil) throws {
        guard encryptionKey == nil else {
            throw Error(
                .invalidInput, fileURL: fileURL,
                "encryption is not supported by this version: nothing was written")
        }
        instance.checkConfinement()
        do {
            let snapshot = try instance.currentSnapshot().inFile
            _ = try instance.file.database.store.copy(snapshot, to: fileURL.path)
        } catch {
            throw Realm.Error(error)
        }
    }

    /// Writes a compacted copy of the realm to the file of a configuration.
    ///
    /// - Throws: ``Realm/Error``. In that case, no file is left.
    public func writeCopy(configuration: Configuration) throws {
        try configuration.check()
        try writeCopy(toFile: URL(fileURLWithPath: configuration.path()))
    }
}
