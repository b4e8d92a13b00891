import FirnValues

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// The content and the locks of a file in memory, which exist as long as it has a name or a handle.
final class MemoryInode: Sendable {
    private struct State {
        var content = MemoryContent()
        var linkCount: UInt64 = 1
        var locks = MemoryLocks()
        var lastOwner: UInt64 = 0
    }

    let identity: FileIdentity
    private let state = Guarded(State())

    init(_ identity: FileIdentity) { self.identity = identity }

    var status: FileStatus {
        let (size, linkCount) = state.withLock { ($0.content.size, $0.linkCount) }
        return FileStatus(kind: .regular, identity: identity, size: size, linkCount: linkCount)
    }

    /// Records that the file lost its name.
    func unlink() { state.withLock { $0.linkCount = 0 } }

    // MARK: Content

    /// - Returns: the number of bytes up to the end of the file.
    func read(at offset: UInt64, into buffer: UnsafeMutableRawBufferPointer) -> Int {
        state.withLock { $0.content.read(at: offset, into: buffer) }
    }

    func write(
        _ bytes: UnsafeRawBufferPointer, at offset: UInt64, _ path: String
    ) throws(PlatformError) {
        let isComplete = state.withLock { $0.content.write(bytes, at: offset) }
        guard isComplete else {
            throw PlatformError(system: ENOMEM, operation: "pwrite", path: path)
        }
    }

    func truncate(to size: UInt64) { state.withLock { $0.content.truncate(to: size) } }

    /// Returns the memory of a file that consists of shared words.
    ///
    /// - Parameter isNew: whether the file was just created and gets this size.
    func region(
        byteCount: Int, isNew: Bool, _ path: String
    ) throws(PlatformError) -> MemoryChunk {
        if isNew { truncate(to: UInt64(byteCount)) }
        guard status.size == UInt64(byteCount) else {
            throw PlatformError(system: EINVAL, operation: "mmap", path: path)
        }
        guard let chunk = state.withLock({ $0.content.firstChunk() }) else {
            throw PlatformError(system: ENOMEM, operation: "mmap", path: path)
        }
        return chunk
    }

    // MARK: Locks

    /// Returns the number of a new handle, which owns locks.
    func newOwner() -> UInt64 {
        state.withLock { state in
            state.lastOwner += 1
            return state.lastOwner
        }
    }

    func tryLock(_ range: LockRange, _ kind: LockKind, owner: UInt64) -> Bool {
        state.withLock { $0.locks.take(range, kind, owner: owner) }
    }

    func unlock(_ range: LockRange, owner: UInt64) {
        state.withLock { $0.locks.release(range, owner: owner) }
    }

    func releaseLocks(of owner: UInt64) { state.withLock { $0.locks.releaseAll(of: owner) } }

    func conflictingLock(in range: LockRange, _ kind: LockKind, owner: UInt64) -> LockRange? {
        state.withLock { $0.locks.conflict(in: range, kind, owner: owner) }
    }

    var heldLocks: [(range: LockRange, kind: LockKind)] { state.withLock { $0.locks.ranges } }
}
