import FirnCodec
import FirnPlatform
import FirnValues

/// One of the two files of the commit log.
///
/// The database `X` has `X-log0` and `X-log1`. Segment number n is stored in the file with the last
/// bit of n, so that the next segment is never stored in the file in use. Both files keep their
/// size: in space that was filled with zeros and synced before, the sync of a commit writes only
/// the commit.
///
/// Writing requires the writer lock of the database; creation, recovery and removal require the
/// exclusive session lock. After a failed sync this handle writes no more: the system may have
/// discarded the data, and the next sync would succeed nevertheless.
final class LogSegment: Sendable {
    struct State {
        var header: LogHeader
        /// The slot of the header.
        var slot: Int
        /// The minimum size of the file, which is recorded in it if its use keeps a record.
        ///
        /// Other processes may have extended the file.
        var byteCount: UInt64
        var extent: SegmentExtent?
        /// The error that ended all writing.
        var poison: StoreError?
    }

    let file: any File
    /// The step in bytes by which the file grows.
    let stepByteCount: UInt64
    let state: Guarded<State>

    init(file: any File, stepByteCount: UInt64, state: State) {
        self.file = file
        self.stepByteCount = max(1, stepByteCount)
        self.state = Guarded(state)
    }

    /// Returns the path of segment `number` of a database.
    static func path(of database: String, number: UInt64) -> String {
        "\(database)-log\(number & 1)"
    }

    var path: String { file.path }

    /// The size of the file as far as this handle knows it.
    var knownByteCount: UInt64 { state.withLock { $0.byteCount } }

    /// The header as of creation, opening, ``reload()`` or ``recycle(as:byteCountMaximum:)``
    /// through this handle.
    var header: LogHeader { state.withLock { $0.header } }

    // MARK: Opening

    /// Opens a segment that must exist.
    ///
    /// - Parameters:
    ///   - path: The path of either file of the log.
    ///   - generation: The generation of the log in the superblock.
    /// - Throws: ``StoreError`` with `logMissing` if there is no such file or it belongs to another
    ///   database or another time, `corrupt` if its header is damaged, `formatTooNew`, and the
    ///   errors of opening.
    static func open(
        _ path: String, fileID: UUID, generation: UInt64, readOnly: Bool, files: any FileSystem,
        stepByteCount: UInt64 = LogSegment.growthByteCount
    ) throws(StoreError) -> LogSegment {
        let file: any File
        let byteCount: UInt64
        do throws(PlatformError) {
            file = try files.open(path, readOnly ? .readOnly : .readWrite)
            byteCount = try file.status().size
        } catch {
            guard error.code == .notFound else {
                throw StoreError(error, doing: "open the commit log")
            }
            throw missing(path, "there is no file of that name", cause: error)
        }
        let reading = try LogHeaderReading.read(from: file)
        let (header, slot) = try reading.newest(path)
        guard header.fileID == fileID else {
            throw missing(path, "it belongs to another database")
        }
        guard header.generation == generation else {
            throw missing(
                path, "it is of another time (\(header.generation) instead of \(generation))")
        }
        guard path.utf8.last == LogSegment.path(of: "", number: header.number).utf8.last else {
            throw .corrupt(path, "segment \(header.number) of the commit log has this name")
        }
        let extent = reading.extent(of: header, slot: slot)
        return LogSegment(
            file: file, stepByteCount: stepByteCount,
            state: State(
                header: header, slot: slot, byteCount: usable(byteCount, header, extent),
                extent: extent,
                poison: nil))
    }

    /// Returns the number of bytes that may be written before the length is recorded again.
    private static func usable(
        _ byteCount: UInt64, _ header: LogHeader, _ extent: SegmentExtent?
    ) -> UInt64 {
        let said = max(header.fileByteCount, extent?.fileByteCount ?? 0)
        return said == 0 ? byteCount : min(byteCount, said)
    }

    private static func missing(
        _ path: String, _ reason: String, cause: PlatformError? = nil
    ) -> StoreError {
        StoreError(
            .logMissing, path: path, detail: "the commit log is not here: \(reason)",
            remedy: "put the files with -log0 and -log1 back that stood beside the database",
            cause: cause)
    }

    /// Reads the header again, because another process may have written it.
    @discardableResult
    func reload() throws(StoreError) -> LogHeader {
        let reading = try LogHeaderReading.read(from: file)
        let (header, slot) = try reading.newest(path)
        let extent = reading.extent(of: header, slot: slot)
        let byteCount = try attempt(file.status().size, to: "read the commit log")
        state.withLock { state in
            state.header = header
            state.slot = slot
            state.byteCount = LogSegment.usable(byteCount, header, extent)
            state.extent = extent
        }
        return header
    }

    // MARK: Errors

    func checkWritable() throws(StoreError) {
        if let poison = state.withLock({ $0.poison }) { throw poison }
    }

    /// Makes all written data durable.
    ///
    /// - Throws: ``StoreError``; this handle is then poisoned, and the caller must poison the
    ///   store.
    func sync() throws(StoreError) {
        try checkWritable()
        do throws(PlatformError) {
            try file.sync(.data)
        } catch {
            state.withLock { state in
                state.poison = StoreError(
                    .poisoned, path: path,
                    detail: "an earlier sync of the commit log failed (\(error.reason))",
                    remedy: "open the database again", cause: error)
            }
            throw StoreError(
                error.code == .diskFull ? .diskFull : .inputOutput, path: path,
                detail: "a sync of the commit log failed: \(error.reason)",
                remedy: StoreError.reopening, cause: error)
        }
    }

    /// Whether a sync failed.
    var isPoisoned: Bool { state.withLock { $0.poison != nil } }
}
