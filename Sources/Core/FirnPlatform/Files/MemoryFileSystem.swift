import FirnValues

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// A file system in the memory of this process.
///
/// It behaves as a local disk: a removed file stays until its last handle is released, a rename is
/// atomic, and the handles of one file exclude each other with byte-range locks. Syncs do nothing,
/// because the content ends with the process.
package final class MemoryFileSystem: FileSystem {
    /// The entries of all folders, by normal path.
    private struct Names {
        var files: TextMap<MemoryInode> = [:]
        var folders: TextSet = ["/", "."]
        var lastInode: UInt64 = 0
    }

    /// The device number of the next file system, which no disk has.
    private static let nextDevice = Guarded(UInt64.max)

    private let names = Guarded(Names())
    private let device: UInt64

    package init() {
        device = MemoryFileSystem.nextDevice.withLock { next in
            defer { next -= 1 }
            return next
        }
    }

    /// Creates a folder; its parent must exist.
    package func makeFolder(_ path: String) throws(PlatformError) {
        let path = try normal(path, "mkdir")
        try names.withLock { names throws(PlatformError) in
            try MemoryFileSystem.checkFree(path, names, "mkdir")
            names.folders.insert(path)
        }
    }

    /// Returns whether a file belongs to this file system.
    func contains(_ file: FileIdentity) -> Bool { file.device == device }

    // MARK: Files

    package func open(_ path: String, _ mode: OpenMode) throws(PlatformError) -> any File {
        let inode = try inode(path, mode, "open")
        return MemoryFile(inode, path: path, isWritable: mode != .readOnly)
    }

    package func sharedRegion(
        _ path: String, _ mode: OpenMode, words: Int
    ) throws(PlatformError) -> any SharedRegion {
        precondition(words > 0 && words <= Int(Int32.max), "a region has words")
        let byteCount = words * MemoryLayout<UInt64>.size
        guard byteCount <= MemoryChunk.byteCount else {
            throw PlatformError(system: ENOMEM, operation: "mmap", path: path)
        }
        let inode = try inode(path, mode, "open")
        let chunk = try inode.region(byteCount: byteCount, isNew: mode == .createNew, path)
        return SystemSharedRegion(
            path: path, identity: inode.identity, base: chunk.base, words: words,
            isWritable: mode != .readOnly, keeping: chunk)
    }

    /// Returns an existing file, or creates one.
    private func inode(
        _ path: String, _ mode: OpenMode, _ operation: String
    ) throws(PlatformError) -> MemoryInode {
        let normal = try normal(path, operation)
        return try names.withLock { names throws(PlatformError) in
            if mode == .createNew {
                try MemoryFileSystem.checkFree(normal, names, operation)
                names.lastInode += 1
                let made = MemoryInode(FileIdentity(device: device, inode: names.lastInode))
                names.files[normal] = made
                return made
            }
            // As on a disk, a folder can be opened for reading, and is rejected then.
            if mode == .readOnly, names.folders.contains(normal) {
                throw PlatformError(.notARegularFile, operation: operation, path: path)
            }
            return try MemoryFileSystem.file(normal, names, operation)
        }
    }

    package func resolvedPath(_ path: String) throws(PlatformError) -> String {
        let normal = try normal(path, "realpath")
        guard try status(of: path) != nil else {
            throw PlatformError(system: ENOENT, operation: "realpath", path: path)
        }
        return normal
    }

    package func status(of path: String) throws(PlatformError) -> FileStatus? {
        let path = try normal(path, "stat")
        return names.withLock { names in
            if let file = names.files[path] { return file.status }
            guard names.folders.contains(path) else { return nil }
            return FileStatus(
                kind: .directory, identity: FileIdentity(device: device, inode: 0), size: 0,
                linkCount: 1)
        }
    }

    // MARK: Names

    package func remove(_ path: String) throws(PlatformError) {
        let path = try normal(path, "unlink")
        try names.withLock { names throws(PlatformError) in
            let file = try MemoryFileSystem.file(path, names, "unlink")
            names.files[path] = nil
            file.unlink()
        }
    }

    package func rename(
        _ path: String, to newPath: String, replacing: Bool
    ) throws(PlatformError) {
        let path = try normal(path, "rename")
        let newPath = try normal(newPath, "rename")
        try names.withLock { names throws(PlatformError) in
            let file = try MemoryFileSystem.file(path, names, "rename")
            if names.folders.contains(newPath), replacing {
                let isAbove = path.hasPrefix(newPath + "/")
                throw PlatformError(
                    system: isAbove ? ENOTEMPTY : EISDIR, operation: "rename", path: newPath)
            }
            if replacing, let replaced = names.files[newPath] {
                guard replaced !== file else { return }
                replaced.unlink()
            } else {
                try MemoryFileSystem.checkFree(newPath, names, "rename")
            }
            names.files[path] = nil
            names.files[newPath] = file
        }
    }

    package func syncDirectory(holding path: String) throws(PlatformError) {
        try checkFolder(of: path, "fsync")
    }

    package func volume(of path: String) throws(PlatformError) -> VolumeKind {
        try checkFolder(of: path, "statfs")
        return .local
    }

    package func lockHolders(of file: FileIdentity) -> [LockHolder] {
        let inode = names.withLock { names in
            names.files.values.first { $0.identity == file }
        }
        guard let inode, let process = ProcessStatus(pid: getpid()) else { return [] }
        return inode.heldLocks.map {
            LockHolder(
                pid: getpid(), command: process.command, ageSeconds: process.ageSeconds,
                isStopped: process.isStopped, range: $0.range, kind: $0.kind, isThisProcess: true)
        }
    }

    // MARK: Checks

    private func checkFolder(of path: String, _ operation: String) throws(PlatformError) {
        let folder = PathName.folder(of: try normal(path, operation))
        guard names.withLock({ $0.folders.contains(folder) }) else {
            throw PlatformError(system: ENOENT, operation: operation, path: folder)
        }
    }

    private static func file(
        _ path: String, _ names: Names, _ operation: String
    ) throws(PlatformError) -> MemoryInode {
        if let file = names.files[path] { return file }
        throw PlatformError(
            system: names.folders.contains(path) ? EISDIR : ENOENT, operation: operation,
            path: path)
    }

    /// Checks that a name can be created.
    private static func checkFree(
        _ path: String, _ names: Names, _ operation: String
    ) throws(PlatformError) {
        if names.files[path] != nil || names.folders.contains(path) {
            throw PlatformError(system: EEXIST, operation: operation, path: path)
        }
        guard !path.isEmpty, names.folders.contains(PathName.folder(of: path)) else {
            throw PlatformError(system: ENOENT, operation: operation, path: path)
        }
    }

    /// Returns a path without `.`, `..` and repeated slashes; empty for an empty path.
    private func normal(_ path: String, _ operation: String) throws(PlatformError) -> String {
        guard !path.utf8.contains(0) else {
            throw PlatformError(.invalidPath, operation: operation, path: path)
        }
        var parts: [Substring] = []
        for part in path.split(separator: "/") where part != "." {
            if part == "..", let last = parts.last, last != ".." {
                parts.removeLast()
            } else {
                parts.append(part)
            }
        }
        let joined = parts.joined(separator: "/")
        if path.hasPrefix("/") { return "/" + joined }
        return joined.isEmpty && !path.isEmpty ? "." : joined
    }
}
