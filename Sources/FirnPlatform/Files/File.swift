/// An open regular file.
///
/// Closing happens when the last reference goes.
/// All calls retry EINTR themselves and are safe from any thread.
package protocol File: AnyObject, Sendable {
    /// The path that it was opened with, for messages.
    var path: String { get }

    /// Reads at an offset until the buffer is full or the file ends.
    ///
    /// - Returns: the number of bytes read; fewer than the buffer holds only at the end of the file.
    func read(
        at offset: UInt64, into buffer: UnsafeMutableRawBufferPointer
    ) throws(PlatformError) -> Int

    /// Writes all the bytes at an offset, growing the file as needed.
    ///
    /// After an error any part of the bytes may have been written.
    func write(_ bytes: UnsafeRawBufferPointer, at offset: UInt64) throws(PlatformError)

    /// Makes all that was written durable.
    ///
    /// A failure means that anything written since the last success may be lost although later
    /// calls succeed: callers must never try again and believe the answer.
    func sync(_ kind: SyncKind) throws(PlatformError)

    /// Cuts or extends the file; an extension reads as zeros.
    func truncate(to size: UInt64) throws(PlatformError)

    /// Makes sure that the disk has blocks for a range, so that writing there never finds it full.
    ///
    /// The size of the file stays as it is: a range behind its end is only kept for it, until the
    /// file is truncated.
    ///
    /// - Returns: whether the file system can do that.
    /// - Throws: ``PlatformError`` with `diskFull`; a part of the range may have its blocks then.
    func reserve(from start: UInt64, byteCount: UInt64) throws(PlatformError) -> Bool

    /// Size, identity and link count as of now.
    func status() throws(PlatformError) -> FileStatus

    /// Gives a new file to others, as far as the system lets this process do that.
    ///
    /// What it does not allow stays as it is: the file then is for fewer than were named, never for
    /// more.
    func give(to access: FileAccess)

    /// Takes a byte-range lock that belongs to this open file and dies with it or the process.
    ///
    /// - Returns: whether the lock was taken; `false` if another open file holds a conflicting one.
    func tryLock(_ range: LockRange, _ kind: LockKind) throws(PlatformError) -> Bool

    /// Gives back what ``tryLock(_:_:)`` took.
    func unlock(_ range: LockRange) throws(PlatformError)

    /// Some range inside of `range` in which another open file holds a lock that conflicts with
    /// `kind`, or `nil`. Locks of this open file are not seen.
    func conflictingLock(
        in range: LockRange, _ kind: LockKind
    ) throws(PlatformError) -> LockRange?
}

extension File {
    /// For files that belong to nobody.
    package func give(to access: FileAccess) {}
}

/// What a sync covers.
package enum SyncKind: Sendable {
    /// The content and what is needed to read it back, such as the size (`fdatasync`;
    /// `F_FULLFSYNC` on macOS).
    case data
    /// All metadata too (`fsync`; `F_FULLFSYNC` on macOS).
    case full
}

/// A range of bytes to lock; the bytes need not exist.
package struct LockRange: Hashable, Sendable {
    package let start: UInt64
    /// At least 1.
    package let length: UInt64

    /// Both `start` and `start + length` stay below 2^63, which is all that the kernel accepts.
    package init(start: UInt64, length: UInt64 = 1) {
        self.start = start
        self.length = length
    }
}

/// Whether others may hold the same lock.
package enum LockKind: Sendable {
    case shared
    case exclusive
}
