import FirnValues

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// A file that a program keeps only for its user, such as a history.
///
/// The file and its folder belong to the user, and no other user can read them. A symbolic link is
/// rejected, and so is a file or folder of another user. Several processes may use the file: each
/// tries to hold a lock while it reads or writes the content for a change.
package struct PrivateFile: Sendable {
    package let path: String

    package init(_ path: String) { self.path = path }

    /// Returns at most the last `bytesMax` bytes of the content; empty if there is no file.
    package func read(bytesMax: Int) throws(PlatformError) -> [UInt8] {
        let descriptor: Int32
        do { descriptor = try open(O_RDONLY) } catch {
            if error.code == .notFound { return [] }
            throw error
        }
        defer { close(descriptor) }
        return try content(descriptor, bytesMax)
    }

    /// Appends to the file, and creates the file and its folders if they do not exist.
    package func append(_ bytes: [UInt8]) throws(PlatformError) {
        try check()
        try makeFolder()
        let descriptor = try open(O_WRONLY | O_APPEND | O_CREAT)
        defer { close(descriptor) }
        try lock(descriptor)
        // A single call, so that a process that did not get the lock cannot write in between.
        try write(bytes, descriptor)
    }

    /// Replaces the content with the result of `body`, unless the result is `nil`.
    ///
    /// If there is no file, nothing is done.
    package func change(
        bytesMax: Int, _ body: ([UInt8]) -> [UInt8]?
    ) throws(PlatformError) {
        let descriptor: Int32
        do { descriptor = try open(O_RDWR) } catch {
            if error.code == .notFound { return }
            throw error
        }
        defer { close(descriptor) }
        try lock(descriptor)
        guard let changed = body(try content(descriptor, bytesMax)) else { return }
        // A concurrent reader finds the new beginning followed by the rest of the old content,
        // which is truncated next.
        try retryingInterrupts("lseek", path) { lseek(descriptor, 0, SEEK_SET) }
        try write(changed, descriptor)
        try retryingInterrupts("ftruncate", path) { ftruncate(descriptor, off_t(changed.count)) }
    }

    // MARK: Opening

    /// Rejects a path with a NUL, because the system would use only the part before it.
    private func check() throws(PlatformError) {
        guard !path.utf8.contains(0) else {
            throw PlatformError(.invalidPath, operation: "open", path: path)
        }
    }

    private func open(_ flags: Int32) throws(PlatformError) -> Int32 {
        try check()
        let descriptor = try retryingInterrupts("open", path) {
            SystemFileSystem.openCall(
                path, flags | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC | O_NOCTTY, 0o600)
        }
        var status = stat()
        let isOurs =
            fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
            && status.st_uid == geteuid() && status.st_nlink == 1
        guard isOurs else {
            close(descriptor)
            throw PlatformError(system: EACCES, operation: "open", path: path)
        }
        // The content is private, even if the file was made readable.
        if status.st_mode & 0o077 != 0 { fchmod(descriptor, 0o600) }
        return descriptor
    }

    /// Creates the folder of the file, and its parents, accessible only to the user.
    private func makeFolder() throws(PlatformError) {
        let folder = PathName.folder(of: path)
        var status = stat()
        if lstat(folder, &status) != 0 {
            try PrivateFile.makeFolders(folder)
            try retryingInterrupts("lstat", folder) { lstat(folder, &status) }
        }
        guard status.st_mode & S_IFMT == S_IFDIR, status.st_uid == geteuid(),
            status.st_mode & 0o022 == 0
        else { throw PlatformError(system: EACCES, operation: "open", path: folder) }
        if status.st_mode & 0o077 != 0 { chmod(folder, 0o700) }
    }

    private static func makeFolders(_ folder: String) throws(PlatformError) {
        // The limit is beyond any reasonable path of a state folder.
        var missing = [folder]
        while missing.count < 64 {
            let above = PathName.folder(of: missing[missing.count - 1])
            var status = stat()
            if stat(above, &status) == 0 { break }
            missing.append(above)
        }
        for name in missing.reversed() where mkdir(name, 0o700) != 0 && errno != EEXIST {
            throw PlatformError(system: errno, operation: "mkdir", path: name)
        }
    }

    // MARK: Content

    /// Tries to lock the file against other processes until the descriptor is closed.
    private func lock(_ descriptor: Int32) throws(PlatformError) {
        // A process that was stopped while holding the lock must not block this one. Entries of a
        // history in the wrong order are harmless.
        let reason = flock(descriptor, LOCK_EX | LOCK_NB) == 0 ? 0 : errno
        guard reason == 0 || reason == EWOULDBLOCK || reason == ENOLCK else {
            throw PlatformError(system: reason, operation: "flock", path: path)
        }
    }

    private func content(
        _ descriptor: Int32, _ bytesMax: Int
    ) throws(PlatformError) -> [UInt8] {
        let size = Int(try retryingInterrupts("lseek", path) { lseek(descriptor, 0, SEEK_END) })
        let start = max(0, size - bytesMax)
        var bytes = [UInt8](repeating: 0, count: size - start)
        var done = 0
        while done < bytes.count {
            let count = try retryingInterrupts("pread", path) {
                bytes.withUnsafeMutableBytes { buffer in
                    pread(
                        descriptor, buffer.baseAddress.map { $0 + done }, buffer.count - done,
                        off_t(start + done))
                }
            }
            if count == 0 { break }
            done += count
        }
        bytes.removeSubrange(done...)
        return bytes
    }

    private func write(_ bytes: [UInt8], _ descriptor: Int32) throws(PlatformError) {
        var done = 0
        while done < bytes.count {
            let count = try retryingInterrupts("write", path) {
                bytes.withUnsafeBytes { buffer in
                    PrivateFile.writeCall(
                        descriptor, buffer.baseAddress.map { $0 + done }, buffer.count - done)
                }
            }
            guard count > 0 else {
                throw PlatformError(.inputOutput, operation: "write", path: path)
            }
            done += count
        }
    }

    private static func writeCall(
        _ number: Int32, _ from: UnsafeRawPointer?, _ count: Int
    ) -> Int {
        #if canImport(Glibc)
        Glibc.write(number, from, count)
        #else
        Darwin.write(number, from, count)
        #endif
    }
}
