import FirnPlatform

/// A file under its future name.
///
/// Errors of a database under construction name the database, not the temporary file.
final class FileAlias: File {
    let path: String
    private let file: any File

    init(_ file: any File, path: String) {
        self.file = file
        self.path = path
    }

    func read(
        at offset: UInt64, into buffer: UnsafeMutableRawBufferPointer
    ) throws(PlatformError) -> Int {
        try renaming(file.read(at: offset, into: buffer))
    }

    func write(_ bytes: UnsafeRawBufferPointer, at offset: UInt64) throws(PlatformError) {
        try renaming(file.write(bytes, at: offset))
    }

    func sync(_ kind: SyncKind) throws(PlatformError) {
        try renaming(file.sync(kind))
    }

    func truncate(to size: UInt64) throws(PlatformError) {
        try renaming(file.truncate(to: size))
    }

    func reserve(from start: UInt64, byteCount: UInt64) throws(PlatformError) -> Bool {
        try renaming(file.reserve(from: start, byteCount: byteCount))
    }

    func status() throws(PlatformError) -> FileStatus {
        try renaming(file.status())
    }

    func tryLock(_ range: LockRange, _ kind: LockKind) throws(PlatformError) -> Bool {
        try renaming(file.tryLock(range, kind))
    }

    func unlock(_ range: LockRange) throws(PlatformError) {
        try renaming(file.unlock(range))
    }

    func conflictingLock(
        in range: LockRange, _ kind: LockKind
    ) throws(PlatformError) -> LockRange? {
        try renaming(file.conflictingLock(in: range, kind))
    }

    private func renaming<Result>(
        _ body: @autoclosure () throws(PlatformError) -> Result
    ) throws(PlatformError) -> Result {
        do throws(PlatformError) {
            return try body()
        } catch {
            throw PlatformError(
                error.code, operation: error.operation, path: path, errno: error.errno)
        }
    }
}
