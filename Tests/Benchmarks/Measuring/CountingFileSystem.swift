import FirnPlatform

/// The traffic of a file system.
struct FileCounts: Sendable {
    var readCalls = 0
    var bytesRead: UInt64 = 0
    var writeCalls = 0
    var bytesWritten: UInt64 = 0
}

/// Counts the traffic of another file system: unlike times, these numbers do not vary from run to
/// run.
final class CountingFileSystem: FileSystem {
    private let base: any FileSystem
    private let guarded = Guarded(FileCounts())

    init(_ base: any FileSystem) { self.base = base }

    /// The traffic since ``reset()``.
    var counts: FileCounts { guarded.withLock { $0 } }

    func reset() { guarded.withLock { $0 = FileCounts() } }

    /// The real machine with this file system in front of its disk.
    var services: SystemServices {
        let real = SystemServices.real
        return SystemServices(
            files: self, clock: real.clock, entropy: real.entropy, bootIdentity: real.bootIdentity)
    }

    func open(_ path: String, _ mode: OpenMode) throws(PlatformError) -> any File {
        CountingFile(try base.open(path, mode), guarded)
    }

    func resolvedPath(_ path: String) throws(PlatformError) -> String {
        try base.resolvedPath(path)
    }

    func status(of path: String) throws(PlatformError) -> FileStatus? {
        try base.status(of: path)
    }

    func remove(_ path: String) throws(PlatformError) { try base.remove(path) }

    func rename(_ path: String, to newPath: String, replacing: Bool) throws(PlatformError) {
        try base.rename(path, to: newPath, replacing: replacing)
    }

    func syncDirectory(holding path: String) throws(PlatformError) {
        try base.syncDirectory(holding: path)
    }

    func sharedRegion(
        _ path: String, _ mode: OpenMode, words: Int
    ) throws(PlatformError) -> any SharedRegion {
        try base.sharedRegion(path, mode, words: words)
    }

    func volume(of path: String) throws(PlatformError) -> VolumeKind {
        try base.volume(of: path)
    }

    func lockHolders(of file: FileIdentity) -> [LockHolder] { base.lockHolders(of: file) }
}

/// A file whose traffic is counted.
private final class CountingFile: File {
    private let base: any File
    private let counts: Guarded<FileCounts>

    init(_ base: any File, _ counts: Guarded<FileCounts>) {
        self.base = base
        self.counts = counts
    }

    var path: String { base.path }

    func read(
        at offset: UInt64, into buffer: UnsafeMutableRawBufferPointer
    ) throws(PlatformError) -> Int {
        let count = try base.read(at: offset, into: buffer)
        counts.withLock { counts in
            counts.readCalls += 1
            counts.bytesRead += UInt64(count)
        }
        return count
    }

    func write(_ bytes: UnsafeRawBufferPointer, at offset: UInt64) throws(PlatformError) {
        try base.write(bytes, at: offset)
        let count = UInt64(bytes.count)
        counts.withLock { counts in
            counts.writeCalls += 1
            counts.bytesWritten += count
        }
    }

    func sync(_ kind: SyncKind) throws(PlatformError) { try base.sync(kind) }

    func truncate(to size: UInt64) throws(PlatformError) { try base.truncate(to: size) }

    func reserve(from start: UInt64, byteCount: UInt64) throws(PlatformError) -> Bool {
        try base.reserve(from: start, byteCount: byteCount)
    }

    func status() throws(PlatformError) -> FileStatus { try base.status() }

    func tryLock(_ range: LockRange, _ kind: LockKind) throws(PlatformError) -> Bool {
        try base.tryLock(range, kind)
    }

    func unlock(_ range: LockRange) throws(PlatformError) { try base.unlock(range) }

    func conflictingLock(
        in range: LockRange, _ kind: LockKind
    ) throws(PlatformError) -> LockRange? {
        try base.conflictingLock(in: range, kind)
    }
}
