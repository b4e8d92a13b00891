import CPlatform
import FirnValues

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// The file system of the machine.
package struct SystemFileSystem: FileSystem {
    package init() {}

    package func open(_ path: String, _ mode: OpenMode) throws(PlatformError) -> any File {
        try SystemFileSystem.check(path, "open")
        return try Self.openRegular(path, mode, followsLinks: true)
    }

    package func createOutput(
        _ path: String, replacing replaced: String
    ) throws(PlatformError) -> any File {
        try SystemFileSystem.check(path, "open")
        var status = stat()
        guard stat(replaced, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            return try Self.openRegular(path, .createNew, followsLinks: true, permissions: 0o666)
        }
        let file = try Self.openRegular(path, .createNew, followsLinks: true)
        try file.allow(status.st_mode & 0o777)
        return file
    }

    /// Opens a regular file, or rejects anything else without blocking.
    ///
    /// - Parameters:
    ///   - followsLinks: whether an existing file may be reached through a symbolic link as the
    ///     last component. For a new file, links are never followed.
    ///   - permissions: the permissions of a new file, before the umask is applied.
    static func openRegular(
        _ path: String, _ mode: OpenMode, followsLinks: Bool, permissions: mode_t = 0o600
    ) throws(PlatformError) -> SystemFile {
        // O_NONBLOCK: opening a FIFO must not wait for its other end before fstat identifies it.
        // For regular files, the flag has no effect.
        var flags = O_CLOEXEC | O_NONBLOCK | O_NOCTTY | (followsLinks ? 0 : O_NOFOLLOW)
        if mode != .readOnly { _ = fileSizeLimitIsAnError }
        switch mode {
        case .readOnly: flags |= O_RDONLY
        case .readWrite: flags |= O_RDWR
        case .createNew: flags |= O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW
        }
        let descriptor = try retryingInterrupts("open", path) { openCall(path, flags, permissions) }
        let file = SystemFile(descriptor: descriptor, path: path)
        guard try file.status().kind == .regular else {
            throw PlatformError(.notARegularFile, operation: "open", path: path)
        }
        return file
    }

    /// Whether a size limit causes an error and not a signal; neither a full disk nor a size limit
    /// may end a program that has a database open.
    private static let fileSizeLimitIsAnError: Bool = firn_file_size_signal_ignore() == 0

    package func resolvedPath(_ path: String) throws(PlatformError) -> String {
        try SystemFileSystem.check(path, "realpath")
        guard let resolved = realpath(path, nil) else {
            throw PlatformError(system: errno, operation: "realpath", path: path)
        }
        defer { free(resolved) }
        return String(cString: resolved)
    }

    package func status(of path: String) throws(PlatformError) -> FileStatus? {
        try SystemFileSystem.check(path, "stat")
        var status = stat()
        guard stat(path, &status) == 0 else {
            let reason = errno
            if reason == ENOENT || reason == ENOTDIR { return nil }
            throw PlatformError(system: reason, operation: "stat", path: path)
        }
        return FileStatus(status)
    }

    package func remove(_ path: String) throws(PlatformError) {
        try SystemFileSystem.check(path, "unlink")
        try retryingInterrupts("unlink", path) { unlink(path) }
    }

    package func rename(
        _ path: String, to newPath: String, replacing: Bool
    ) throws(PlatformError) {
        try SystemFileSystem.check(path, "rename")
        try SystemFileSystem.check(newPath, "rename")
        // The system does not report which of the two names is at fault. Only these errors
        // certainly concern the new one.
        let reason =
            replacing
            ? (Self.renameCall(path, newPath) == 0 ? 0 : errno)
            : firn_rename_exclusive(path, newPath)
        guard reason != 0 else { return }
        let isAboutNew = reason == EEXIST || reason == EISDIR || reason == ENOSPC
        throw PlatformError(
            system: reason, operation: "rename", path: isAboutNew ? newPath : path)
    }

    package func syncDirectory(holding path: String) throws(PlatformError) {
        try SystemFileSystem.check(path, "fsync")
        let folder = PathName.folder(of: path)
        let descriptor = try retryingInterrupts("open", folder) {
            Self.openCall(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC, 0)
        }
        defer { close(descriptor) }
        let reason = firn_sync(descriptor, 1)
        // Some network file systems cannot sync a folder, and report that. On these, a name is
        // durable when the call that created it returns.
        guard reason == 0 || reason == EINVAL else {
            throw PlatformError(system: reason, operation: "fsync", path: folder)
        }
    }

    package func sharedRegion(
        _ path: String, _ mode: OpenMode, words: Int
    ) throws(PlatformError) -> any SharedRegion {
        try SystemFileSystem.check(path, "open")
        return try SystemSharedRegion(path, mode, words: words)
    }

    package func volume(of path: String) throws(PlatformError) -> VolumeKind {
        try SystemFileSystem.check(path, "statfs")
        return try VolumeKind(folder: PathName.folder(of: path))
    }

    package func lockHolders(of file: FileIdentity) -> [LockHolder] {
        LockHolderSearch(file: file).holders()
    }

    /// Rejects a NUL: in C, the path would end there, and another file would be opened.
    private static func check(_ path: String, _ operation: String) throws(PlatformError) {
        guard !path.utf8.contains(0) else {
            throw PlatformError(.invalidPath, operation: operation, path: path)
        }
    }

    /// Opens a file with a descriptor above the standard ones.
    ///
    /// In a program that was started with standard error closed, the next free descriptor is 2.
    /// Every message printed by the program, or by a library in it, would then overwrite the
    /// database.
    static func openCall(_ path: String, _ flags: Int32, _ mode: mode_t) -> Int32 {
        #if canImport(Glibc)
        let descriptor = Glibc.open(path, flags, mode)
        #else
        let descriptor = Darwin.open(path, flags, mode)
        #endif
        return firn_keep_above_standard(descriptor)
    }

    private static func renameCall(_ path: String, _ newPath: String) -> Int32 {
        #if canImport(Glibc)
        Glibc.rename(path, newPath)
        #else
        Darwin.rename(path, newPath)
        #endif
    }
}

extension FileStatus {
    init(_ status: stat) {
        let format = status.st_mode & S_IFMT
        self.init(
            kind: format == S_IFREG ? .regular : (format == S_IFDIR ? .directory : .other),
            identity: FileIdentity(
                device: UInt64(truncatingIfNeeded: status.st_dev),
                inode: UInt64(truncatingIfNeeded: status.st_ino)),
            size: UInt64(clamping: status.st_size),
            linkCount: UInt64(truncatingIfNeeded: status.st_nlink),
            access: FileAccess(
                userID: status.st_uid, groupID: status.st_gid,
                permissions: UInt32(status.st_mode) & 0o777))
    }
}

/// Retries a call that returns -1 with EINTR because of a signal.
@discardableResult
func retryingInterrupts<Number: SignedInteger>(
    _ operation: String, _ path: String, _ call: () -> Number
) throws(PlatformError) -> Number {
    while true {
        let result = call()
        if result != -1 { return result }
        let reason = errno
        if reason != EINTR {
            throw PlatformError(system: reason, operation: operation, path: path)
        }
    }
}
