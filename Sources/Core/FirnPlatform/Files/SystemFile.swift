import CPlatform
import FirnValues

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// An open file of the machine, which closes its descriptor when it is deinitialized.
final class SystemFile: File {
    let path: String
    let descriptor: Int32

    /// Takes ownership of a descriptor.
    init(descriptor: Int32, path: String) {
        self.descriptor = descriptor
        self.path = path
    }

    deinit {
        // The result does not matter: callers that depend on the data have synced it.
        close(descriptor)
    }

    func read(
        at offset: UInt64, into buffer: UnsafeMutableRawBufferPointer
    ) throws(PlatformError) -> Int {
        let start = try position(offset, buffer.count, "pread")
        var done = 0
        while done < buffer.count, let base = buffer.baseAddress {
            let count = try retryingInterrupts("pread", path) {
                pread(descriptor, base + done, buffer.count - done, start + off_t(done))
            }
            if count == 0 { break }
            done += count
        }
        return done
    }

    func write(_ bytes: UnsafeRawBufferPointer, at offset: UInt64) throws(PlatformError) {
        let start = try position(offset, bytes.count, "pwrite")
        var done = 0
        while done < bytes.count, let base = bytes.baseAddress {
            let count = try retryingInterrupts("pwrite", path) {
                pwrite(descriptor, base + done, bytes.count - done, start + off_t(done))
            }
            // A write to a regular file never returns 0 without an error. If it did, the loop would
            // not end.
            guard count > 0 else {
                throw PlatformError(.inputOutput, operation: "pwrite", path: path)
            }
            done += count
        }
    }

    /// Sets the permissions of the file, regardless of the umask of the process.
    func allow(_ permissions: mode_t) throws(PlatformError) {
        guard fchmod(descriptor, permissions) == 0 else {
            throw PlatformError(system: errno, operation: "fchmod", path: path)
        }
    }

    /// Changes the owner, through the descriptor, because the name may now refer to another file.
    func give(to access: FileAccess) {
        var permissions = mode_t(truncatingIfNeeded: access.permissions & 0o777)
        // Only the superuser can change the owner, and only members of a group can assign it.
        if geteuid() == 0 { _ = fchown(descriptor, access.userID, uid_t.max) }
        _ = fchown(descriptor, uid_t.max, access.groupID)
        guard let made = try? status().access else { return }
        if made.groupID != access.groupID {
            permissions = mode_t(truncatingIfNeeded: access.permissionsInOtherGroup)
        }
        _ = fchmod(descriptor, permissions)
    }

    func sync(_ kind: SyncKind) throws(PlatformError) {
        let reason = firn_sync(descriptor, kind == .full ? 1 : 0)
        guard reason == 0 else {
            throw PlatformError(
                system: reason, operation: kind == .full ? "fsync" : "fdatasync", path: path)
        }
    }

    func truncate(to size: UInt64) throws(PlatformError) {
        let size = try position(size, 0, "ftruncate")
        try retryingInterrupts("ftruncate", path) { ftruncate(descriptor, size) }
    }

    func reserve(from start: UInt64, byteCount: UInt64) throws(PlatformError) -> Bool {
        guard byteCount > 0 else { return true }
        let first = try position(start, Int(clamping: byteCount), "fallocate")
        let reason = firn_reserve(descriptor, Int64(first), Int64(byteCount))
        if reason == ENOTSUP { return false }
        guard reason == 0 else {
            throw PlatformError(system: reason, operation: "fallocate", path: path)
        }
        return true
    }

    func status() throws(PlatformError) -> FileStatus {
        var found = firn_file_status()
        try retryingInterrupts("fstat", path) { firn_fstat(descriptor, &found) }
        var status = stat()
        status.st_dev = .init(truncatingIfNeeded: found.device)
        status.st_ino = .init(truncatingIfNeeded: found.inode)
        status.st_nlink = .init(truncatingIfNeeded: found.links)
        status.st_size = .init(truncatingIfNeeded: found.size)
        status.st_mode = .init(truncatingIfNeeded: found.mode)
        status.st_uid = found.user
        status.st_gid = found.group
        return FileStatus(status)
    }

    /// Returns the offset in the system's type, with the end of the transfer still in range.
    private func position(
        _ offset: UInt64, _ count: Int, _ operation: String
    ) throws(PlatformError) -> off_t {
        guard let start = off_t(exactly: offset), count <= off_t.max - start else {
            throw PlatformError(
                .fileTooLarge, operation: operation, path: path, errno: EFBIG)
        }
        return start
    }
}
