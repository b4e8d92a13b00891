package import FirnPlatform
import FirnValues

extension Store {
    /// Removes a database that no process has open, and the files beside it.
    ///
    /// - Returns: Whether there was a database.
    /// - Throws: ``StoreError`` with `lockHeld` if another process reads or writes it, and the
    ///   errors of opening: a file that is not a database is not removed.
    package static func deleteFiles(
        _ path: String, services: SystemServices = .real
    ) throws(StoreError) -> Bool {
        let store: Store
        do throws(StoreError) {
            store = try Store.open(path, readOnly: false, services: services)
        } catch {
            guard error.code == .missing else { throw error }
            return false
        }
        try store.acquireWriter(waitNanoseconds: 0)
        defer { store.releaseWriter() }
        try store.checkName()
        guard try store.isUnused() else {
            throw StoreError(
                .lockHeld, path: path, detail: "another process has the database open",
                remedy: "list these processes with: firn stats \(path) --sessions")
        }
        let root = try store.readSuperblock().newest
        do throws(PlatformError) {
            try services.files.remove(store.location)
            try services.files.syncDirectory(holding: store.location)
        } catch {
            throw StoreError(error, doing: "remove the database")
        }
        // The log is removed last, because the database does not open without it.
        if root.hasLog {
            try LogFiles(store: store, generation: root.logGeneration, mode: .readWrite)
                .removeOwnFiles()
        }
        return true
    }

    /// Whether no other process reads the database or has its log open, under the writer lock.
    private func isUnused() throws(StoreError) -> Bool {
        do throws(PlatformError) {
            guard try file.conflictingLock(in: LockMap.allPins, .exclusive) == nil else {
                return false
            }
            return try file.conflictingLock(in: LockMap.session, .exclusive) == nil
        } catch {
            throw StoreError(error, doing: "look who has the database open")
        }
    }
}
