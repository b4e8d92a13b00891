import FirnPlatform
import FirnValues

/// Making, using again and removing segments.
extension LogSegment {
    /// By how much a file grows at a time, if nothing else is wanted.
    static let growthByteCount: UInt64 = 256 * 1024
    private static let zeros = [UInt8](repeating: 0, count: Int(growthByteCount))

    /// Where a segment of a database stands while it is made.
    ///
    /// The id of the database in the name says whose it is whatever it holds: after a power loss
    /// that may be anything, and it is removed unread.
    static func unfinishedPath(of database: String, fileID: UUID) -> String {
        "\(database)-log-\(fileID.shortName)"
    }

    /// Makes a segment, durably, with its name.
    ///
    /// It is on disk as a whole before it has its name, so that what a crash leaves under the name
    /// is a segment or nothing. What an earlier log of the same database left there is replaced.
    ///
    /// - Parameters:
    ///   - database: the path of the database; the number in the header says which file it is.
    ///   - byteCount: of the file, at least; made of zeros that are on disk.
    ///   - access: of the database, if it is known.
    ///   - keepsReserve: whether blocks are kept behind the end.
    /// - Throws: ``StoreError`` with `exists` if a file that is not ours has the name, and what
    ///   writing can throw. Nothing is left then.
    static func create(
        _ header: LogHeader, of database: String, byteCount: UInt64, files: any FileSystem,
        access: FileAccess? = nil, stepByteCount: UInt64 = LogSegment.growthByteCount,
        keepsReserve: Bool = true
    ) throws(StoreError) -> LogSegment {
        let path = path(of: database, number: header.number)
        let unfinished = unfinishedPath(of: database, fileID: header.fileID)
        try removeLeftover(path, of: header.fileID, files: files)
        try remove(unfinished, files: files)
        do throws(PlatformError) {
            let made = try make(
                header, at: unfinished, byteCount: byteCount, files: files, access: access,
                stepByteCount: stepByteCount, keepsReserve: keepsReserve)
            try files.rename(unfinished, to: path, replacing: false)
            try files.syncDirectory(holding: path)
            // By its name from now on, for what errors say.
            return LogSegment(
                file: try files.open(path, .readWrite), stepByteCount: stepByteCount,
                state: State(
                    header: made.header, slot: 0, byteCount: made.knownByteCount, extent: nil,
                    poison: nil))
        } catch {
            // Nothing depends on the file yet: if it cannot be removed, the next creation does.
            try? files.remove(unfinished)
            if error.code != .alreadyExists { try? files.remove(path) }
            throw StoreError(error, doing: "create the commit log")
        }
    }

    /// Writes a whole segment to a new file, durably but for its name.
    private static func make(
        _ header: LogHeader, at path: String, byteCount: UInt64, files: any FileSystem,
        access: FileAccess?, stepByteCount: UInt64, keepsReserve: Bool
    ) throws(PlatformError) -> LogSegment {
        let file = try files.open(path, .createNew)
        // Whoever may write the database must be able to go on with its log after a crash.
        if let access { file.give(to: access.ofCompanions) }
        let segment = LogSegment(
            file: file, stepByteCount: stepByteCount,
            state: State(header: header, slot: 0, byteCount: 0, extent: nil, poison: nil))
        try segment.growByStep(
            to: max(byteCount, UInt64(LogHeader.byteCount)), keepsReserve: keepsReserve)
        segment.state.withLock { $0.header.fileByteCount = $0.byteCount }
        try segment.write(segment.header, slot: 0)
        try segment.file.sync(.full)
        return segment
    }

    /// Removes a file that nobody can miss; see ``LogHeaderReading/isLeftover(of:)``.
    ///
    /// - Throws: ``StoreError`` with `exists` if the file is not ours.
    static func removeLeftover(
        _ path: String, of fileID: UUID, files: any FileSystem
    ) throws(StoreError) {
        let file: any File
        do throws(PlatformError) {
            file = try files.open(path, .readOnly)
        } catch {
            guard error.code != .notFound else { return }
            throw StoreError(error, doing: "create the commit log")
        }
        guard try LogHeaderReading.read(from: file).isLeftover(of: fileID) else {
            throw StoreError(
                .exists, path: path,
                detail: "a file that does not belong to this database has the name of its "
                    + "commit log",
                remedy: "move that file away; it may be the commit log of another database")
        }
        try remove(path, files: files)
    }

    /// Takes the name of a segment away, if there is one.
    ///
    /// The caller syncs the folder if that matters; a name that comes back is a leftover which the
    /// next creation removes.
    static func remove(_ path: String, files: any FileSystem) throws(StoreError) {
        do throws(PlatformError) {
            try files.remove(path)
        } catch {
            guard error.code != .notFound else { return }
            throw StoreError(error, doing: "remove the commit log")
        }
    }

    /// Begins a new use of a segment, of which everything is in the database on disk.
    ///
    /// - Parameters:
    ///   - header: with a number that is higher, and a salt that is new; or the very one that an
    ///     earlier attempt left.
    ///   - byteCountMaximum: a longer file is cut.
    /// - Throws: ``StoreError`` with `corrupt` if the file has a use that is not older, and what
    ///   writing can throw. The segment then has not begun; trying again with another salt is fine
    ///   unless the handle is poisoned.
    func recycle(as header: LogHeader, byteCountMaximum: UInt64) throws(StoreError) {
        try checkWritable()
        let (old, slot) = try LogHeaderReading.read(from: file).newest(path)
        guard old.fileID == header.fileID, old.generation == header.generation,
            old.number <= header.number, old.number & 1 == header.number & 1
        else {
            throw .corrupt(
                path, "the commit log has segment \(old.number) where \(header.number) comes next")
        }
        // The same number is there if an earlier attempt failed; it takes the place of that.
        let target = old.number == header.number ? slot : 1 - slot
        var header = header
        do throws(PlatformError) {
            let size = try file.status().size
            header.fileByteCount = min(size, byteCountMaximum)
            // Bytes that are on disk already cannot be torn.
            if old.isBegun(as: header) { header = old }
            try write(header, slot: target)
        } catch {
            throw StoreError(error, doing: "use the commit log again")
        }
        try sync()
        let begun = header
        state.withLock { state in
            state.header = begun
            state.slot = target
            state.byteCount = begun.fileByteCount
            state.extent = nil
        }
        // Not before: the use before says that it is longer. Nobody minds if it stays so.
        do throws(PlatformError) {
            if try file.status().size > byteCountMaximum {
                try file.truncate(to: byteCountMaximum)
            }
        } catch {
            throw StoreError(error, doing: "use the commit log again")
        }
    }

    private func write(_ header: LogHeader, slot: Int) throws(PlatformError) {
        for copy in LogHeader.copies(ofSlot: slot) {
            try file.write(header.record(copy: copy), at: LogHeader.offset(ofCopy: copy))
        }
    }

    /// By how much a file grows into its reserve at a time: a block of most disks.
    static let reserveStepByteCount: UInt64 = 4096

    /// Makes the file longer by a whole step, and keeps as much behind its new end.
    ///
    /// What is kept is for removals on a full disk; see ``DiskReserve``. It is as long as a new segment, so
    /// that there can be one in its place. Does not sync.
    func growByStep(to byteCount: UInt64, keepsReserve: Bool = true) throws(PlatformError) {
        let size = try file.status().size
        let end = LogSegment.end(of: byteCount, inSteps: stepByteCount) + stepByteCount
        // Before a byte is written: on a full disk nothing of the reserve is used up.
        if keepsReserve, end > size { _ = try file.reserve(from: size, byteCount: end - size) }
        try fill(to: byteCount, stepByteCount: stepByteCount)
    }

    /// Gives back the blocks behind the end of the file.
    func dropReserve() throws(StoreError) {
        do throws(PlatformError) {
            try file.truncate(to: try file.status().size)
        } catch {
            throw StoreError(error, doing: "make room for the commit log")
        }
    }

    /// Makes the file longer with zeros that are really written, in whole steps; does not sync.
    func fill(to byteCount: UInt64, stepByteCount: UInt64) throws(PlatformError) {
        // Another process may have made it longer, and put commits there.
        var end = try file.status().size
        let target = LogSegment.end(of: byteCount, inSteps: stepByteCount)
        while end < target {
            let count = Int(min(LogSegment.growthByteCount, target - end))
            try file.write(
                count == LogSegment.zeros.count
                    ? LogSegment.zeros : Array(LogSegment.zeros[..<count]), at: end)
            end += UInt64(count)
        }
        let reached = end
        state.withLock { $0.byteCount = reached }
    }

    /// The end of the step in which the last of so many bytes stands.
    private static func end(of byteCount: UInt64, inSteps step: UInt64) -> UInt64 {
        (byteCount + step - 1) / step * step
    }
}

extension UUID {
    /// 16 digits that tell the files of a database from those of others.
    var shortName: String {
        let digits = String(low, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }
}
