import FirnValues

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// An open file in memory, which releases its locks when it is deinitialized.
final class MemoryFile: File {
    let path: String
    private let inode: MemoryInode
    private let isWritable: Bool
    private let owner: UInt64

    init(_ inode: MemoryInode, path: String, isWritable: Bool) {
        self.inode = inode
        self.path = path
        self.isWritable = isWritable
        owner = inode.newOwner()
    }

    deinit { inode.releaseLocks(of: owner) }

    func read(
        at offset: UInt64, into buffer: UnsafeMutableRawBufferPointer
    ) throws(PlatformError) -> Int {
        try checkEnd(offset, buffer.count, "pread")
        return inode.read(at: offset, into: buffer)
    }

    func write(_ bytes: UnsafeRawBufferPointer, at offset: UInt64) throws(PlatformError) {
        try checkEnd(offset, bytes.count, "pwrite")
        guard isWritable else { throw failure(EBADF, "pwrite") }
        try inode.write(bytes, at: offset, path)
    }

    func sync(_ kind: SyncKind) throws(PlatformError) {}

    func truncate(to size: UInt64) throws(PlatformError) {
        try checkEnd(size, 0, "ftruncate")
        guard isWritable else { throw failure(EINVAL, "ftruncate") }
        inode.truncate(to: size)
    }

    /// Does nothing, because memory is allocated where something is written.
    func reserve(from start: UInt64, byteCount: UInt64) throws(PlatformError) -> Bool { false }

    func status() throws(PlatformError) -> FileStatus { inode.status }

    // MARK: Locks

    func tryLock(_ range: LockRange, _ kind: LockKind) throws(PlatformError) -> Bool {
        try check(range)
        guard isWritable || kind == .shared else { throw failure(EBADF, "fcntl") }
        return inode.tryLock(range, kind, owner: owner)
    }

    func unlock(_ range: LockRange) throws(PlatformError) {
        try check(range)
        inode.unlock(range, owner: owner)
    }

    func conflictingLock(
        in range: LockRange, _ kind: LockKind
    ) throws(PlatformError) -> LockRange? {
        try check(range)
        return inode.conflictingLock(in: range, kind, owner: owner)
    }

    // MARK: Checks

    private func check(_ range: LockRange) throws(PlatformError) {
        guard range.isValid else { throw failure(EINVAL, "fcntl") }
    }

    /// Checks that a transfer ends within the offsets that files have.
    private func checkEnd(
        _ offset: UInt64, _ count: Int, _ operation: String
    ) throws(PlatformError) {
        let limit = UInt64(Int64.max)
        guard offset <= limit, UInt64(count) <= limit - offset else {
            throw failure(EFBIG, operation)
        }
    }

    private func failure(_ reason: Int32, _ operation: String) -> PlatformError {
        PlatformError(system: reason, operation: operation, path: path)
    }
}
