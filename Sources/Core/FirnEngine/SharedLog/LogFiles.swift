import FirnPlatform
import FirnValues

/// The two segments of a log, as opened by one handle.
///
///     segment n      X-log(n & 1)      the frames that no root has, and possibly older ones
///     segment n + 1  X-log(n + 1 & 1)  begins where n ended
///
/// There are never more than two: the next segment reuses the file of the older one once a durable
/// root has all of its commits.
final class LogFiles: Sendable {
    /// The generation of the log, which the superblock names.
    let generation: UInt64
    let fileID: UUID
    /// The path of the database.
    let location: String
    let services: SystemServices
    let mode: OpenMode
    private let stepByteCount: UInt64
    /// The access rights of the database.
    private let access: FileAccess?
    /// The opened segments, indexed by the last bit of their numbers.
    private let opened = Guarded<[LogSegment?]>([nil, nil])

    init(
        generation: UInt64, fileID: UUID, location: String, services: SystemServices,
        mode: OpenMode, stepByteCount: UInt64, access: FileAccess?
    ) {
        self.generation = generation
        self.fileID = fileID
        self.location = location
        self.services = services
        self.mode = mode
        self.stepByteCount = stepByteCount
        self.access = access
    }

    /// Returns the path of the shared memory of a database.
    static func regionPath(_ location: String) -> String { "\(location)-shm" }

    // MARK: Segments

    /// Returns a segment, or `nil` if its file is missing or now has another number.
    func segment(_ number: UInt64) throws(StoreError) -> LogSegment? {
        let known = opened.withLock { $0[Int(number & 1)] }
        if let known {
            if known.header.number == number { return known }
            return try known.reload().number == number ? known : nil
        }
        let segment: LogSegment
        do throws(StoreError) {
            segment = try LogSegment.open(
                LogSegment.path(of: location, number: number), fileID: fileID,
                generation: generation, readOnly: mode == .readOnly, files: services.files,
                stepByteCount: stepByteCount)
        } catch {
            guard error.code == .logMissing else { throw error }
            return nil
        }
        opened.withLock { $0[Int(number & 1)] = segment }
        return segment.header.number == number ? segment : nil
    }

    /// Returns the segment of a tail, in the use to which the tail refers.
    func segment(of tail: SharedLogState.Tail) throws(StoreError) -> LogSegment {
        guard let segment = try segment(tail.segment) else { throw segmentGone }
        // The known use may be that of a process that died before any process switched to it.
        guard segment.header.salt != tail.salt else { return segment }
        guard try segment.reload().salt == tail.salt else { throw segmentGone }
        return segment
    }

    private var segmentGone: StoreError {
        // The shared memory states which segment it is, and may be wrong.
        StoreError(
            .corrupt, path: location,
            detail: "the segment of the commit log that is written to is gone",
            remedy: StoreError.reopeningEverywhere)
    }

    /// Returns a segment that was opened before.
    func knownSegment(_ number: UInt64) -> LogSegment? {
        opened.withLock { $0[Int(number & 1)] }.flatMap { $0.header.number == number ? $0 : nil }
    }

    /// Returns the existing segments in the order of their numbers.
    ///
    /// - Throws: ``StoreError`` with `logMissing` if there is none.
    func segments() throws(StoreError) -> [LogSegment] {
        var found: [LogSegment] = []
        var failure: StoreError?
        for number: UInt64 in 0...1 {
            do throws(StoreError) {
                let segment = try LogSegment.open(
                    LogSegment.path(of: location, number: number), fileID: fileID,
                    generation: generation, readOnly: mode == .readOnly, files: services.files,
                    stepByteCount: stepByteCount)
                opened.withLock { $0[Int(number & 1)] = segment }
                found.append(segment)
            } catch {
                guard error.code == .logMissing else { throw error }
                failure = failure ?? error
            }
        }
        if found.isEmpty, let failure { throw failure }
        return found.sorted { $0.header.number < $1.header.number }
    }

    /// Begins a segment, durably.
    ///
    /// - Parameter number: The number after that of the last segment, or 0 for the first one.
    func begin(
        _ number: UInt64, after lsn: LSN, chain: ChainHash, keepsReserve: Bool = true
    ) throws(StoreError) -> LogSegment {
        let header = LogHeader(
            fileID: fileID, generation: generation, number: number, base: lsn, chain: chain,
            salt: services.entropy.random64())
        let known = opened.withLock { $0[Int(number & 1)] }
        let reused: LogSegment?
        if let known { reused = known } else { reused = try existing(number) }
        if let known = reused {
            try known.recycle(as: header, byteCountMaximum: LogFiles.keptByteCount)
            opened.withLock { $0[Int(number & 1)] = known }
            return known
        }
        let segment = try LogSegment.create(
            header, of: location, byteCount: stepByteCount, files: services.files,
            access: access, stepByteCount: stepByteCount, keepsReserve: keepsReserve)
        opened.withLock { $0[Int(number & 1)] = segment }
        return segment
    }

    /// The size in bytes to which a longer segment is truncated when it is reused.
    private static let keptByteCount: UInt64 = 4 << 20

    /// Opens the file that another process created for a number of the same parity.
    private func existing(_ number: UInt64) throws(StoreError) -> LogSegment? {
        guard number > 1 else {
            // Segment 0 has no earlier file. Segment 1 has one only if a process died while it
            // began this segment. The previous segment may then record it already, so the file must
            // not disappear.
            let left = number == 0 ? nil : try? segment(number)
            return left
        }
        return try LogSegment.open(
            LogSegment.path(of: location, number: number), fileID: fileID, generation: generation,
            readOnly: false, files: services.files, stepByteCount: stepByteCount)
    }

    /// Removes the segment files that belong to this database.
    func removeOwnSegments() throws(StoreError) {
        opened.withLock { $0 = [nil, nil] }
        for number: UInt64 in 0...1 {
            try LogSegment.removeLeftover(
                LogSegment.path(of: location, number: number), of: fileID, files: services.files)
        }
        try LogSegment.remove(
            LogSegment.unfinishedPath(of: location, fileID: fileID), files: services.files)
    }

    /// Removes the files of the log and its shared memory.
    ///
    /// - Throws: ``StoreError`` with `exists` if one of the files does not belong to this database;
    ///   that file stays.
    func removeOwnFiles() throws(StoreError) {
        try removeOwnSegments()
        try removeOwnRegion()
    }

    /// Removes the file of the shared memory and closes the region for the processes that use it.
    ///
    /// - Throws: ``StoreError`` with `exists` if the file does not belong to this database; it
    ///   stays.
    func removeOwnRegion() throws(StoreError) {
        let path = LogFiles.regionPath(location)
        try LogSegment.remove(
            SharedLogState.unfinishedPath(of: location, fileID: fileID), files: services.files)
        do throws(PlatformError) {
            guard try services.files.status(of: path) != nil else { return }
            if SharedLogState.isLeftover(try services.files.open(path, .readOnly)) {
                let region = try? services.files.sharedRegion(
                    path, .readWrite, words: SharedLogState.wordCount)
                let state = region.map { SharedLogState($0) }
                state?.close()
                try services.files.remove(path)
                // Another program may have opened it again as long as it had its name.
                state?.close()
                return
            }
        } catch {
            throw StoreError(error, doing: "remove the shared memory of the log")
        }
        throw StoreError(
            .exists, path: path,
            detail: "a file that does not belong to this database has the name of the shared "
                + "memory of its log",
            remedy: "move that file away")
    }
}
