import FirnPlatform
import FirnValues

/// What shared memory is for.
struct RegionPurpose {
    let fileID: UUID
    let boot: BootIdentity?
    /// Of the log; 0 if there is none, and somebody only waits.
    let generation: UInt64
    let tail: SharedLogState.Tail
    let root: RootVersion
    let rootLSN: LSN
}

extension SharedLogState {
    /// Where shared memory of a database stands while it is made; see
    /// ``LogSegment/unfinishedPath(of:fileID:)``.
    static func unfinishedPath(of database: String, fileID: UUID) -> String {
        "\(LogFiles.regionPath(database))-\(fileID.shortName)"
    }

    /// Makes the shared memory of a database, which has none.
    ///
    /// It is on disk before it has its name: nothing in it is needed after a power loss, but whose it
    /// is has to be seen, so that it can be removed. Only for who may change the region.
    ///
    /// - Parameter access: of the database, if it is known.
    /// - Throws: ``PlatformError`` with `alreadyExists` if there is one. What is left then is ours: the
    ///   next one who makes or ends a log removes it.
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
            // Those who only wait cannot keep each other out: it may be what another has just made.
            if !region.belongs(to: purpose.fileID, boot: purpose.boot) { region.prepare(purpose) }
            return region
        } catch {
            try? files.remove(unfinished)
            throw error
        }
    }
}
