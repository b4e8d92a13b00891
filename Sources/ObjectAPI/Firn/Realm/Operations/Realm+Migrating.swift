import FirnEngine
import FirnValues

extension Realm {
    /// Migrates the file of a configuration to its model, without keeping the realm open.
    ///
    /// A file that already has the version of the configuration only receives what it lacks.
    ///
    /// - Throws: ``Realm/Error``, with `alreadyOpen` if this process has the file open, or an error
    ///   of ``Configuration/migrationBlock``. The file is then unchanged.
    public static func performMigration(
        for configuration: Configuration = .defaultConfiguration
    ) throws {
        let path = try configuration.path()
        do throws(StoreError) {
            guard try RealmFile.openFile(path, configuration) == nil else {
                throw StoreError(
                    .lockHeld, path: path, detail: "an open realm cannot be migrated",
                    remedy: "let go of all realms, objects and collections of it first")
            }
        } catch {
            throw Realm.Error(error)
        }
        _ = try RealmFile.open(configuration)
    }
}
