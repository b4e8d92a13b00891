import FirnEngine
import FirnPlatform
import FirnQuery
import FirnValues
import Foundation

/// Opening files, once per process.
extension RealmFile {
    /// Returns the file of a configuration, opening it if necessary.
    ///
    /// - Throws: ``Realm/Error``, or an error of the migration block.
    static func open(_ configuration: Realm.Configuration) throws -> RealmFile {
        try configuration.check()
        let path = try configuration.path()
        do {
            return try OpeningFiles.opening(.path(TextKey(path)), path: path) {
                try openAlone(path, configuration)
            }
        } catch let error as StoreError {
            throw Realm.Error(error)
        }
    }

    private static func openAlone(
        _ path: String, _ configuration: Realm.Configuration
    ) throws -> RealmFile {
        if let known = try openFile(path, configuration) {
            try known.check(configuration)
            return known
        }
        if configuration.inMemoryIdentifier != nil { MemoryRealm.removeLeftovers(besides: path) }
        try makeIfMissing(path, configuration)
        guard let identity = try identity(of: path, configuration) else {
            return try openOnDisk(path, configuration)
        }
        // Another path may lead to the same file.
        return try OpeningFiles.opening(.file(identity), path: path) {
            if let known = try openFile(path, configuration) {
                try known.check(configuration)
                return known
            }
            return try openOnDisk(path, configuration)
        }
    }

    private static func identity(
        of path: String, _ configuration: Realm.Configuration
    ) throws(StoreError) -> FileIdentity? {
        do {
            return try configuration.services.files.status(of: path)?.identity
        } catch {
            throw StoreError(error, doing: "open the database")
        }
    }

    private static func openOnDisk(
        _ path: String, _ configuration: Realm.Configuration
    ) throws -> RealmFile {
        // A file that cannot be opened is reported before classes that cannot be stored.
        let opened = try Database.open(
            path, readOnly: configuration.readOnly, services: configuration.services)
        let model = ModelSchema(configuration, path: path)
        let database = try recreatedIfWanted(opened, path, configuration, model)
        let status = try database.store.fileStatus()
        let file = RealmFile(database, status.identity, path, configuration, model)
        try file.establish(model)
        try compactIfWanted(database.store, configuration)
        file.share()
        file.upstream.begin(database, configuration)
        Logger.log(.detail, "opened \(path), with \(model.layouts.count) classes of the model")
        return file
    }

    /// Gives the file the classes of the model, in a migration if necessary.
    private func establish(_ model: ModelSchema) throws {
        let newest = try database.snapshot().snapshot
        if !configuration.readOnly, model.isNewerModel(than: newest) {
            try MigrationRun(file: self, model: model).run()
        }
        // Another process may have migrated the file to an even newer model.
        try model.establish(in: database)
    }

    /// Returns the database, which is deleted and recreated if the configuration prefers that to a
    /// migration.
    private static func recreatedIfWanted(
        _ database: Database, _ path: String, _ configuration: Realm.Configuration,
        _ model: ModelSchema
    ) throws(StoreError) -> Database {
        let services = configuration.services
        guard configuration.deleteRealmIfMigrationNeeded,
            let reason = model.reasonForMigration(of: try database.snapshot().snapshot)
        else { return database }
        try database.store.close()
        _ = try Store.deleteFiles(path, services: services)
        Logger.log(.warn, "\(path) was deleted and created again: \(reason)")
        try makeIfMissing(path, configuration)
        return try Database.open(path, readOnly: false, services: services)
    }

    /// Compacts the file if the configuration requests it and no other process has it open.
    private static func compactIfWanted(
        _ store: Store, _ configuration: Realm.Configuration
    ) throws(StoreError) {
        guard let wants = configuration.shouldCompactOnLaunch else { return }
        let report = try store.spaceReport()
        let total = Int(clamping: report.fileByteCount)
        guard wants(total, Int(clamping: report.liveByteCount)) else { return }
        do {
            var options = CompactionOptions()
            options.waitNanoseconds = 0
            _ = try store.compact(options)
            let after = Int(clamping: try store.spaceReport().fileByteCount)
            Logger.log(.info, "compacted \(store.path) from \(total) bytes to \(after)")
        } catch {
            guard error.code == .lockHeld else { throw error }
            Logger.log(.info, "\(store.path) was not compacted: others have it open")
        }
    }

    /// Returns the prefix of a path that is a file and not a folder; `nil` if there is none.
    private static func nearestFile(above folder: String) -> String? {
        var path = URL(fileURLWithPath: folder)
        while path.path != "/" {
            var isFolder: ObjCBool = false
            if FileManager.default.fileExists(atPath: path.path, isDirectory: &isFolder) {
                return isFolder.boolValue ? nil : path.path
            }
            path.deleteLastPathComponent()
        }
        return nil
    }

    /// Creates an empty database, or a copy of the seed, if the file does not exist.
    private static func makeIfMissing(
        _ path: String, _ configuration: Realm.Configuration
    ) throws(StoreError) {
        guard !configuration.readOnly else { return }
        let services = configuration.services
        do {
            guard try services.files.status(of: path) == nil else { return }
        } catch {
            throw StoreError(error, doing: "open the database")
        }
        configuration.createDefaultFolder()
        let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
        if !FileManager.default.fileExists(atPath: folder), configuration.simulatedServices == nil {
            if let file = nearestFile(above: folder) {
                throw StoreError(
                    .inputOutput, path: path, detail: "\(file) is a file and no folder",
                    remedy: "give a path in a folder")
            }
            throw StoreError(
                .missing, path: path, detail: "the folder \(folder) does not exist",
                remedy: "create it before the realm is opened")
        }
        do {
            if let seed = configuration.seedFilePath {
                let source = try Store.open(seed.path, readOnly: true, services: services)
                _ = try source.copy(try source.snapshot(), to: path)
            } else {
                try Store.create(path, services: services).publish()
            }
        } catch {
            // Another process created the file first.
            guard error.code == .exists else { throw error }
        }
    }

    /// Throws an error if another configuration of the same file conflicts with this one.
    fileprivate func check(_ other: Realm.Configuration) throws(StoreError) {
        var difference: String?
        if other.readOnly != configuration.readOnly {
            difference = "different read permissions"
        } else if other.schemaVersion != configuration.schemaVersion {
            difference = "a different schema version"
        } else if other.inMemoryIdentifier != configuration.inMemoryIdentifier {
            difference = "different in-memory settings"
        } else if !Realm.Configuration.hasEqualUpstreams(other, configuration) {
            difference = "another syncConfiguration"
        }
        if let difference {
            throw StoreError(
                .lockHeld, path: path, detail: "the realm is open already with \(difference)",
                remedy: "use one configuration for a file")
        }
        let model = ModelSchema(other, path: path)
        try model.establish(in: database)
        knownLayouts.withLock { known in
            let names = Set(known.map(\.className))
            known += model.layouts.filter { !names.contains($0.className) }
        }
    }
}
