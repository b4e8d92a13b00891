/// The only way to disk: everything durable goes through this seam, so that tests can put a
/// simulated disk behind it and pull the plug at any operation.
///
/// Paths are UTF-8 strings as the user gave them; nothing is expanded or resolved.
package protocol FileSystem: Sendable {
    /// Opens a regular file.
    ///
    /// Anything else (a directory, FIFO, device or socket) is refused with
    /// ``PlatformError/Code/notARegularFile`` before it could block.
    func open(_ path: String, _ mode: OpenMode) throws(PlatformError) -> any File

    /// Makes a file that is to be read by others too: for whom the mask of the process allows it.
    ///
    /// - Parameter replaced: the file whose place it will take; if there is one, its permissions
    ///   are those of the new file, so that what was private stays so.
    func createOutput(
        _ path: String, replacing replaced: String
    ) throws(PlatformError) -> any File

    /// The path of an existing file without symbolic links and without the current folder: the same
    /// for all who open the file, whatever they call it, and later too.
    func resolvedPath(_ path: String) throws(PlatformError) -> String

    /// What stands at a path, following symbolic links; `nil` if there is nothing.
    func status(of path: String) throws(PlatformError) -> FileStatus?

    /// Removes the name of a file.
    func remove(_ path: String) throws(PlatformError)

    /// Gives a file another name in one step.
    ///
    /// - Parameter replacing: whether a file of the new name is replaced; otherwise it is an
    ///   ``PlatformError/Code/alreadyExists`` error, decided by the kernel without a race.
    func rename(_ path: String, to newPath: String, replacing: Bool) throws(PlatformError)

    /// Makes creations, renames and removals in the folder that holds `path` durable.
    func syncDirectory(holding path: String) throws(PlatformError)

    /// Memory that processes share, kept in a file.
    ///
    /// A new one is all zeros, and its blocks are there before anybody touches them: a full disk is
    /// an error here and never a signal later. A symbolic link is refused, as
    /// ``PlatformError/Code/invalidPath``, and so is everything that is not a regular file.
    ///
    /// - Parameter words: how many 64-bit words, at least one; of an existing file that has not
    ///   exactly so many it is a ``PlatformError/Code/other`` error, before anything is mapped.
    func sharedRegion(
        _ path: String, _ mode: OpenMode, words: Int
    ) throws(PlatformError) -> any SharedRegion

    /// Whether the folder that holds `path` is on a disk of this machine.
    ///
    /// Only the folder need exist.
    func volume(of path: String) throws(PlatformError) -> VolumeKind

    /// Who holds locks of open files on a file, as far as the system tells; never an error.
    ///
    /// For messages: it looks at every process of this user, and what it says may be over already.
    /// Every lock is one element, those of this process included.
    func lockHolders(of file: FileIdentity) -> [LockHolder]
}

extension FileSystem {
    /// Where permissions mean nothing.
    package func createOutput(
        _ path: String, replacing replaced: String
    ) throws(PlatformError) -> any File {
        try open(path, .createNew)
    }
}

/// Where a file lies.
package enum VolumeKind: Hashable, Sendable {
    case local
    /// Other machines may have the file open: memory is not shared with them, locks are.
    case network
}

/// How a file is opened.
package enum OpenMode: Sendable, Equatable {
    /// An existing file, for reading only.
    case readOnly
    /// An existing file, for reading and writing.
    case readWrite
    /// A new file, for reading and writing, only for its owner (0600). Fails with
    /// ``PlatformError/Code/alreadyExists`` if anything has that name, also a dangling symbolic link.
    case createNew
}

/// Which file a name leads to, whatever the name.
package struct FileIdentity: Hashable, Sendable {
    package let device: UInt64
    package let inode: UInt64

    package init(device: UInt64, inode: UInt64) {
        self.device = device
        self.inode = inode
    }
}

/// What stands at a path.
package struct FileStatus: Hashable, Sendable {
    package enum Kind: Sendable {
        case regular
        case directory
        case other
    }

    package let kind: Kind
    package let identity: FileIdentity
    /// In bytes.
    package let size: UInt64
    /// How many names the file has; 0 once it was removed or replaced.
    package let linkCount: UInt64
    /// `nil` where files belong to nobody.
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
