import FirnValues

/// The only access to the disk.
///
/// Everything durable passes through this interface, so that tests can substitute a simulated disk
/// and simulate a power loss at any operation. Paths are UTF-8 strings as given by the user;
/// nothing is expanded or resolved.
package protocol FileSystem: Sendable {
    /// Opens a regular file.
    ///
    /// Anything else (a directory, FIFO, device or socket) is rejected with
    /// ``PlatformError/Code/notARegularFile``, without blocking.
    func open(_ path: String, _ mode: OpenMode) throws(PlatformError) -> any File

    /// Creates a file that other users may read, as the umask of the process permits.
    ///
    /// - Parameter replaced: the file that the new file will replace. If it exists, the new file
    ///   gets its permissions, so that private data remains private.
    func createOutput(
        _ path: String, replacing replaced: String
    ) throws(PlatformError) -> any File

    /// Returns the absolute path of an existing file without symbolic links.
    ///
    /// It is the same for all processes that open the file, by any name and at any time.
    func resolvedPath(_ path: String) throws(PlatformError) -> String

    /// Returns the path of the file to replace under a name: the target of a symbolic link, which
    /// need not exist.
    ///
    /// - Returns: the path itself if it is not a link; `nil` for a link that another user has made, who may
    ///   not choose which file of this user is replaced.
    func ownTarget(of path: String) throws(PlatformError) -> String?

    /// Returns the status of the file at a path, following symbolic links; `nil` if there is none.
    func status(of path: String) throws(PlatformError) -> FileStatus?

    /// Removes the name of a file.
    ///
    /// The guide FileFormat lists all uses.
    func remove(_ path: String) throws(PlatformError)

    /// Renames a file atomically.
    ///
    /// - Parameter replacing: whether to replace an existing file of the new name. If not, an
    ///   existing file causes an ``PlatformError/Code/alreadyExists`` error, which the kernel
    ///   decides without a race.
    func rename(_ path: String, to newPath: String, replacing: Bool) throws(PlatformError)

    /// Makes creations, renames and removals in the folder that contains `path` durable.
    func syncDirectory(holding path: String) throws(PlatformError)

    /// Maps a file as memory that processes share.
    ///
    /// A new region is all zeros, and its blocks are allocated in advance: a full disk causes an
    /// error here and never a signal later. A symbolic link is rejected as
    /// ``PlatformError/Code/invalidPath``, and so is everything that is not a regular file.
    ///
    /// - Parameter words: the number of 64-bit words, at least one. If an existing file has another
    ///   size, a ``PlatformError/Code/other`` error is thrown before anything is mapped.
    func sharedRegion(
        _ path: String, _ mode: OpenMode, words: Int
    ) throws(PlatformError) -> any SharedRegion

    /// Returns the kind of volume that contains the folder of `path`.
    ///
    /// Only the folder needs to exist.
    func volume(of path: String) throws(PlatformError) -> VolumeKind

    /// Returns the processes that hold open-file locks on a file, as far as the system shows them.
    ///
    /// The result is for messages: the search reads every process of this user, and the state may
    /// already have changed. Each lock is one element, including those of this process. The search
    /// never throws.
    func lockHolders(of file: FileIdentity) -> [LockHolder]
}

extension FileSystem {
    /// Creates a file, on a file system without permissions.
    package func createOutput(
        _ path: String, replacing replaced: String
    ) throws(PlatformError) -> any File {
        try open(path, .createNew)
    }

    /// Returns the path, on a file system without links.
    package func ownTarget(of path: String) throws(PlatformError) -> String? { path }
}

/// The kind of volume that contains a file.
package enum VolumeKind: Hashable, Sendable {
    case local
    /// A volume on which other machines may have the file open.
    ///
    /// They share locks, but not memory.
    case network
}

/// The mode in which a file is opened.
package enum OpenMode: Sendable, Equatable {
    /// An existing file, for reading only.
    case readOnly
    /// An existing file, for reading and writing.
    case readWrite
    /// A new file, for reading and writing, accessible only to its owner (0600).
    ///
    /// Fails with ``PlatformError/Code/alreadyExists`` if the name exists, even as a dangling
    /// symbolic link.
    case createNew
}

/// The identity of a file, independent of its names.
package struct FileIdentity: Hashable, Sendable {
    package let device: UInt64
    package let inode: UInt64

    package init(device: UInt64, inode: UInt64) {
        self.device = device
        self.inode = inode
    }
}

/// The status of a file.
package struct FileStatus: Hashable, Sendable {
    package enum Kind: Sendable {
        case regular
        case directory
        case other
    }

    package let kind: Kind
    package let identity: FileIdentity
    /// The size in bytes.
    package let size: UInt64
    /// The number of names of the file; 0 once it was removed or replaced.
    package let linkCount: UInt64
    /// The access rights; `nil` if files have no owner.
    package let access: FileAccess?

    package init(
        kind: Kind, identity: FileIdentity, size: UInt64, linkCount: UInt64,
        access: FileAccess? = nil
    ) {
        self.kind = kind
        self.identity = identity
        self.size = size
        self.linkCount = linkCount
        self.access = access
    }
}
