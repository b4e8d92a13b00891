import FirnPlatform
import FirnValues

/// Creation, reuse and removal of segments.
extension LogSegment {
    /// The default step in bytes by which a file grows.
    static let growthByteCount: UInt64 = 256 * 1024
    private static let zeros = [UInt8](repeating: 0, count: Int(growthByteCount))

    /// Returns the path of a segment while it is created.
    ///
    /// The name contains the id of the database, so the owner of the file is known whatever it
    /// contains. After a power loss the content may be arbitrary, and the file is removed unread.
    static func unfinishedPath(of database: String, fileID: UUID) -> String {
        "\(database)-log-\(fileID.shortName)"
    }

    /// Creates a segment under its name, durably.
    ///
    /// The file is completely on disk before it gets its name, so that after a crash the name
    /// refers to a complete segment or to no file. A file of that name from an earlier log of the
    /// same database is replaced.
    ///
    /// - Parameters:
    ///   - database: The path of the database; the number in the header determines the file.
    ///   - byteCount: The minimum size of the file, filled with zeros that are on disk.
    ///   - access: The access rights of the database, if they are known.
    /// - Throws: ``StoreError`` with `exists` if an unrelated file has the name, and the errors of
    ///   writing. No file remains in these cases.
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
            // The segment is opened by its name, which appears in errors.
            return LogSegment(
                file: try files.open(path, .readWrite), stepByteCount: stepByteCount,
                state: State(
                    header: made.header, slot: 0, byteCount: made.knownByteCount, extent: nil,
                    poison: nil))
        } catch {
            // The file is not used yet. If it cannot be removed, the next creation removes it.
            try? files.remove(unfinished)
            if error.code != .alreadyExists { try? files.remove(path) }
            throw StoreError(error, doing: "create the commit log")
        }
    }

    /// Writes a complete segment to a new file, durable except for its name.
    private static func make(
        _ header: LogHeader, at path: String, byteCount: UInt64, files: any FileSystem,
        access: FileAccess?, stepByteCount: UInt64, keepsReserve: Bool
    ) throws(PlatformError) -> LogSegment {
        let file = try files.open(path, .createNew)
        // Every process that may write the database must be able to continue its log after a crash.
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

    /// Removes a file that is not needed; see ``LogHeaderReading/isLeftover(of:)``.
    ///
    /// - Throws: ``StoreError`` with `exists` if the file belongs to another database or program.
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

    /// Removes the name of a segment if it exists.
    ///
    /// The caller syncs the folder if necessary. A name that reappears is a leftover, which the
    /// next creation removes.
    static func remove(_ path: String, files: any FileSystem) throws(StoreError) {
        do throws(PlatformError) {
            try files.remove(path)
        } catch {
            guard error.code != .notFound else { return }
            throw StoreError(error, doing: "remove the commit log")
        }
    }

    /// Begins a new use of a segment whose commits are all in the database on disk.
    ///
    /// - Parameters:
    ///   - header: A header with a higher number and a new salt, or exactly the header that an
    ///     earlier attempt left.
    ///   - byteCountMaximum: The size to which a longer file is truncated.
    /// - Throws: ``StoreError`` with `corrupt` if the current use of the file is not older, and the
    ///   errors of writing. The segment then has not begun. Another attempt with another salt is
    ///   possible unless the handle is poisoned.
    func recycle(as header: LogHeader, byteCountMaximum: UInt64) throws(StoreError) {
        try checkWritable()
        let (old, slot) = try LogHeaderReading.read(from: file).newest(path)
        guard old.fileID == header.fileID, old.generation == header.generation,
            old.number <= header.number, old.number & 1 == header.number & 1
        else {
            throw .corrupt(
                path, "the commit log has segment \(old.number) where \(header.number) comes next")
        }
        // The number is the same after an earlier attempt that failed; its slot is overwritten.
        let target = old.number == header.number ? slot : 1 - slot
        var header = header
        var isRepeated = false
        do throws(PlatformError) {
            let size = try file.status().size
            header.fileByteCount = min(size, byteCountMaximum)
            // Rewriting the bytes that are already on disk cannot tear them.
            isRepeated = old.isBegun(as: header)
            if isRepeated { header = old }
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
        // The file is truncated only now, because the previous use records a greater length. A file
        // that stays longer does no harm.
        if isRepeated { return }
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

    /// The number of bytes by which a file grows into its reserve in one step: a block of most
    /// disks.
    static let reserveStepByteCount: UInt64 = 4096

    /// Extends the file by a whole step, and reserves the same amount after its new end.
    ///
    /// The reserve is for removals on a full disk; see ``DiskReserve``. It is as long as a new segment, so
    /// that a new segment can use its space. Does not sync.
    func growByStep(to byteCount: UInt64, keepsReserve: Bool = true) throws(PlatformError) {
        let size = try file.status().size
        let end = LogSegment.end(of: byteCount, inSteps: stepByteCount) + stepByteCount
        // Before the first write, so that nothing of the reserve is used on a full disk.
        if keepsReserve, end > size { _ = try file.reserve(from: size, byteCount: end - size) }
        try fill(to: byteCount, stepByteCount: stepByteCount)
    }

    /// Gives back the blocks past the end of the file.
    func dropReserve() throws(StoreError) {
        try attempt(file.truncate(to: try file.status().size), to: "make room for the commit log")
    }

    /// Extends the file in whole steps with zeros that are actually written; does not sync.
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

    /// Returns the end of the step that contains the last byte of a number of bytes.
    private static func end(of byteCount: UInt64, inSteps step: UInt64) -> UInt64 {
        (byteCount + step - 1) / step * step
    }
}

extension UUID {
    /// 16 digits that identify the files of one database.
    var shortName: String {
        let digits = String(low, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }
}
