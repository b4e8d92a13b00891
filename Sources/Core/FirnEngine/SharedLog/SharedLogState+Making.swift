import FirnPlatform
import FirnValues

/// The identity and the initial state of a shared memory region.
struct RegionPurpose {
    let fileID: UUID
    let boot: BootIdentity?
    /// The generation of the log; 0 if there is no log and a process only waits.
    let generation: UInt64
    let tail: SharedLogState.Tail
    let root: RootVersion
    let rootLSN: LSN
}

extension SharedLogState {
    /// Returns the path of shared memory while it is created; see
    /// ``LogSegment/unfinishedPath(of:fileID:)``.
    static func unfinishedPath(of database: String, fileID: UUID) -> String {
        "\(LogFiles.regionPath(database))-\(fileID.shortName)"
    }

    /// Creates the shared memory of a database that has none.
    ///
    /// The file is on disk before it has its name. None of its content is needed after a power
    /// loss, but its owner must be recognizable so that it can be removed. The caller holds the
    /// lock for changing the region.
    ///
    /// - Parameter access: The access rights of the database, if they are known.
    /// - Throws: ``PlatformError`` with `alreadyExists` if the region exists. A file that is left
    ///   then belongs to this database and is removed when a process next creates or ends a log.
    static func make(
        of database: String, for purpose: RegionPurpose, files: any FileSystem,
        access: FileAccess?
    ) throws(PlatformError) -> SharedLogState {
        let path = LogFiles.regionPath(database)
        let unfinished = unfinishedPath(of: database, fileID: purpose.fileID)
        if try files.status(of: unfinished) != nil { try files.remove(unfinished) }
        do throws(PlatformError) {
            let made = try files.sharedRegion(unfinished, .createNew, words: wordCount)
            SharedLogState(made).prepare(purpose)
            let file = try files.open(unfinished, .readWrite)
            if let access { file.give(to: access.ofCompanions) }
            try file.sync(.full)
            try files.rename(unfinished, to: path, replacing: false)
            let region = SharedLogState(
                try files.sharedRegion(path, .readWrite, words: wordCount))
            // Processes that only wait do not exclude each other: another one may just have created
            // it.
            if !region.belongs(to: purpose.fileID, boot: purpose.boot) { region.prepare(purpose) }
            return region
        } catch {
            try? files.remove(unfinished)
            throw error
        }
    }
}
