import FirnValues

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// A file system with a folder in memory, for databases that must not touch the disk.
///
/// All paths that begin with the name of the folder are in memory; a real folder of that name is
/// not reachable.
package struct MountedFileSystem: FileSystem {
    /// The name of the folder in memory.
    package static let folder = ":memory:"

    private let base: any FileSystem
    private let memory = MemoryFileSystem()

    /// - Parameter base: the file system of all other paths.
    package init(_ base: any FileSystem) throws(PlatformError) {
        self.base = base
        try memory.makeFolder(MountedFileSystem.folder)
    }

    /// Returns whether a path is in the folder in memory.
    package static func isMounted(_ path: String) -> Bool { path.hasPrefix(folder + "/") }

    private func files(of path: String) -> any FileSystem {
        MountedFileSystem.isMounted(path) ? memory : base
    }

    package func open(_ path: String, _ mode: OpenMode) throws(PlatformError) -> any File {
        try files(of: path).open(path, mode)
    }

    package func createOutput(
        _ path: String, replacing replaced: String
    ) throws(PlatformError) -> any File {
        try files(of: path).createOutput(path, replacing: replaced)
    }

    package func resolvedPath(_ path: String) throws(PlatformError) -> String {
        try files(of: path).resolvedPath(path)
    }

    package func ownTarget(of path: String) throws(PlatformError) -> String? {
        try files(of: path).ownTarget(of: path)
    }

    package func status(of path: String) throws(PlatformError) -> FileStatus? {
        try files(of: path).status(of: path)
    }

    package func remove(_ path: String) throws(PlatformError) {
        try files(of: path).remove(path)
    }

    package func rename(
        _ path: String, to newPath: String, replacing: Bool
    ) throws(PlatformError) {
        guard MountedFileSystem.isMounted(path) == MountedFileSystem.isMounted(newPath) else {
            throw PlatformError(system: EXDEV, operation: "rename", path: newPath)
        }
        try files(of: path).rename(path, to: newPath, replacing: replacing)
    }

    package func syncDirectory(holding path: String) throws(PlatformError) {
        try files(of: path).syncDirectory(holding: path)
    }

    package func sharedRegion(
        _ path: String, _ mode: OpenMode, words: Int
    ) throws(PlatformError) -> any SharedRegion {
        try files(of: path).sharedRegion(path, mode, words: words)
    }

    package func volume(of path: String) throws(PlatformError) -> VolumeKind {
        try files(of: path).volume(of: path)
    }

    package func lockHolders(of file: FileIdentity) -> [LockHolder] {
        memory.contains(file) ? memory.lockHolders(of: file) : base.lockHolders(of: file)
    }
}
