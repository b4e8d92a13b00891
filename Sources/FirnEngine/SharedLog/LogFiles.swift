import FirnPlatform
import FirnValues

/// The two segments of a log, as one handle has them open.
///
///     segment n      X-log(n & 1)      the frames that no root has, and perhaps older ones
///     segment n + 1  X-log(n + 1 & 1)  begins where n ended
///
/// There are never more than two: the next one takes the file of the one before the last, once a
/// durable root has all of that.
final class LogFiles: Sendable {
    /// The log that the superblock means.
    let generation: UInt64
    let fileID: UUID
    /// The database.
    let location: String
    let services: SystemServices
    let mode: OpenMode
    private let stepByteCount: UInt64
    /// Of the database.
    private let access: FileAccess?
    /// By the last bit of their numbers.
    private let opened = Guarded<[UInt64: LogSegment]>([:])

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

    /// Where the shared memory of a database stands.
    static func regionPath(_ location: String) -> String { "\(location)-shm" }

    // MARK: Segments

    /// A segment; `nil` if its file has another number by now, or is not there any more.
    func segment(_ number: UInt64) throws(StoreError) -> LogSegment? {
        let known = opened.withLock { $0[number & 1] }
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
        opened.withLock { $0[number & 1] = segment }
        return segment.header.number == number ? segment : nil
    }

    /// The segment that a tail is in, in the use that the tail means.
    func segment(of tail: SharedLogState.Tail) throws(StoreError) -> LogSegment {
        guard let segment = try segment(tail.segment) else { throw segmentGone }
        // What is known may be a use whose maker died before anybody changed to it.
        guard segment.header.salt != tail.salt else { return segment }
        guard try segment.reload().salt == tail.salt else { throw segmentGone }
        return segment
    }

    private var segmentGone: StoreError {
        .corrupt(location, "the segment of the commit log that is written to is gone")
    }

    /// A segment that was opened before.
    func knownSegment(_ number: UInt64) -> LogSegment? {
        opened.withLock { $0[number & 1] }.flatMap { $0.header.number == number ? $0 : nil }
    }

    /// The segments that there are, in the order of their numbers.
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
                opened.withLock { $0[number] = segment }
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
    /// - Parameters:
    ///   - number: one more than that of the last; of the first it is 0.
    ///   - keepsReserve: whether a new file keeps blocks behind its end.
    func begin(
        _ number: UInt64, after lsn: LSN, chain: ChainHash, keepsReserve: Bool = true
    ) throws(StoreError) -> LogSegment {
        let header = LogHeader(
            fileID: fileID, generation: generation, number: number, base: lsn, chain: chain,
            salt: services.entropy.random64())
        let known = opened.withLock { $0[number & 1] }
        let reused: LogSegment?
        if let known { reused = known } else { reused = try existing(number) }
        if let known = reused {
            try known.recycle(as: header, byteCountMaximum: LogFiles.keptByteCount)
            opened.withLock { $0[number & 1] = known }
            return known
        }
        let segment = try LogSegment.create(
            header, of: location, byteCount: stepByteCount, files: services.files,
            access: access, stepByteCount: stepByteCount, keepsReserve: keepsReserve)
        opened.withLock { $0[number & 1] = segment }
        return segment
    }

    /// What a segment keeps of its size when it is used again.
    private static let keptByteCount: UInt64 = 4 << 20

    /// The file that another process made for a number of the same parity.
    private func existing(_ number: UInt64) throws(StoreError) -> LogSegment? {
        guard number > 1 else {
            // A process that died while it began this very segment may have left it: then the one
            // before may say so already, and there must be one at any time.
            let left = number == 0 ? nil : try? segment(number)
            return left
        }
        return try LogSegment.open(
            LogSegment.path(of: location, number: number), fileID: fileID, generation: generation,
            readOnly: false, files: services.files, stepByteCount: stepByteCount)
    }

    /// Takes the names of the segments away, as far as they are ours.
    func removeOwnSegments() throws(StoreError) {
        opened.withLock { $0 = [:] }
        for number: UInt64 in 0...1 {
            try LogSegment.removeLeftover(
                LogSegment.path(of: location, number: number), of: fileID, files: services.files)
        }
        try LogSegment.remove(
            LogSegment.unfinishedPath(of: location, fileID: fileID), files: services.files)
    }

    /// Takes the names of the log and its shared memory away.
    ///
    /// - Throws: ``StoreError`` with `exists` if one of the files is not ours; it stays.
    func removeOwnFiles() throws(StoreError) {
        try removeOwnSegments()
        try removeOwnRegion()
    }

    /// Takes the name of the shared memory away, and sends everybody away who looks at it.
    ///
    /// - Throws: ``StoreError`` with `exists` if the file is not ours; it stays.
    func removeOwnRegion() throws(StoreError) {
        let path = LogFiles.regionPath(location)
        try LogSegment.remove(
            SharedLogState.unfinishedPath(of: location, fileID: fileID), files: services.files)
        do throws(PlatformError) {
            guard try services.files.status(of: path) != nil else { return }
            if SharedLogState.isLeftover(try services.files.open(path, .readOnly)) {
                let region = try? services.files.sharedRegion(
                    path, .readWrite, words: SharedLogState.wordCount)
                if let region { SharedLogState(region).close() }
                return try services.files.remove(path)
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
