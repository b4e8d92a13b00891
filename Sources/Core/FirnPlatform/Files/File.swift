import FirnValues

/// An open regular file.
///
/// The file is closed when its last reference is released. All calls retry after EINTR, and are
/// safe from any thread.
package protocol File: AnyObject, Sendable {
    /// The path with which the file was opened, for messages.
    var path: String { get }

    /// Reads at an offset until the buffer is full or the file ends.
    ///
    /// - Returns: the number of bytes read, which is less than the size of the buffer only at the
    ///   end of the file.
    func read(
        at offset: UInt64, into buffer: UnsafeMutableRawBufferPointer
    ) throws(PlatformError) -> Int

    /// Writes all bytes at an offset, and extends the file as needed.
    ///
    /// After an error, any part of the bytes may have been written.
    func write(_ bytes: UnsafeRawBufferPointer, at offset: UInt64) throws(PlatformError)

    /// Makes all written data durable.
    ///
    /// After a failure, any data written since the last success may be lost, even if later calls
    /// succeed. Callers must never retry and trust the result.
    func sync(_ kind: SyncKind) throws(PlatformError)

    /// Truncates or extends the file.
    ///
    /// An extension reads as zeros.
    func truncate(to size: UInt64) throws(PlatformError)

    /// Makes sure that the disk has blocks for a range, so that writing there never finds it full.
    ///
    /// The size of the file stays as it is: a range past its end is only kept for it, until the
    /// file is truncated.
    ///
    /// - Returns: whether the file system can do that.
    /// - Throws: ``PlatformError`` with `diskFull`; a part of the range may have its blocks then.
    func reserve(from start: UInt64, byteCount: UInt64) throws(PlatformError) -> Bool

    /// Returns the current size, identity and link count.
    func status() throws(PlatformError) -> FileStatus

    /// Sets the owner, group and permissions of a new file, as far as the system allows it.
    ///
    /// If the system does not allow all of it, fewer users than requested can access the file, but
    /// never more.
    func give(to access: FileAccess)

    /// Acquires a byte-range lock that is owned by this open file.
    ///
    /// The lock is released with the open file or with the process.
    ///
    /// - Returns: whether the lock was acquired; `false` if another open file holds a conflicting
    ///   one.
    func tryLock(_ range: LockRange, _ kind: LockKind) throws(PlatformError) -> Bool

    /// Releases a lock that ``tryLock(_:_:)`` acquired.
    func unlock(_ range: LockRange) throws(PlatformError)

    /// Returns a range inside `range` in which another open file holds a lock that conflicts with
    /// `kind`.
    ///
    /// The result is `nil` if there is none. Locks of this open file are ignored.
    func conflictingLock(
        in range: LockRange, _ kind: LockKind
    ) throws(PlatformError) -> LockRange?
}

extension File {
    /// Does nothing, for files without an owner.
    package func give(to access: FileAccess) {}
}

/// The data that a sync covers.
package enum SyncKind: Sendable {
    /// The content and the metadata needed to read it, such as the size.
    ///
    /// This is `fdatasync`, and `F_FULLFSYNC` on macOS.
    case data
    /// The content and all metadata (`fsync`; `F_FULLFSYNC` on macOS).
    case full
}

/// A range of bytes to lock, which need not exist.
package struct LockRange: Hashable, Sendable {
    package let start: UInt64
    /// The length, at least 1.
    package let length: UInt64

    /// Creates a range.
    ///
    /// `start` and `start + length` must be below 2^63, the limit of the kernel.
    package init(start: UInt64, length: UInt64 = 1) {
        self.start = start
        self.length = length
    }
}

/// The kind of a lock, which determines whether others can hold the same lock.
package enum LockKind: Sendable {
    case shared
    case exclusive
}
