package import FirnPlatform

// Changes of a disk by a test, unknown to the programs that use it.
extension SimulatedFileSystem {
    /// Makes a folder with the folders above it, durable at once.
    package func makeFolder(_ path: String) {
        var folder = SimulatedNames.normal(path)
        disk.withLock { disk in
            while disk.names.folders.insert(folder).inserted {
                folder = SimulatedNames.folder(of: folder)
            }
        }
    }

    /// Makes an entry that is neither file nor folder, such as a FIFO.
    package func makeSpecialFile(_ path: String) {
        let key = SimulatedNames.normal(path)
        disk.withLock { _ = $0.names.specialFiles.insert(key) }
    }

    /// The names of all files, in order.
    package var fileNames: [String] { disk.withLock { $0.names.current.keys.sorted() } }

    /// All bytes of a file as processes see them; `nil` if there is none.
    package func contents(of path: String) -> [UInt8]? {
        let key = SimulatedNames.normal(path)
        return disk.withLock { disk in
            disk.names.current[key].flatMap { disk.inodes[$0]?.cached }
        }
    }

    /// All bytes of a file that are certainly on the platter; `nil` if there is no file.
    package func durableContents(of path: String) -> [UInt8]? {
        let key = SimulatedNames.normal(path)
        return disk.withLock { disk in
            disk.names.current[key].flatMap { disk.inodes[$0]?.durable }
        }
    }

    /// Replaces a file; content and name are durable.
    package func setContents(of path: String, to bytes: [UInt8]) {
        let key = SimulatedNames.normal(path)
        disk.withLock { disk in
            let inode = disk.takeNumber()
            disk.inodes[inode] = SimulatedInode(settled: bytes)
            disk.names.place(key, inode)
        }
    }

    /// Inverts bits of a file on the medium and in the cache.
    package func corrupt(_ path: String, at offset: Int, xor mask: UInt8) {
        let key = SimulatedNames.normal(path)
        disk.withLock { disk in
            guard let inode = disk.names.current[key] else { return }
            disk.inodes[inode]?.corrupt(at: offset, xor: mask)
        }
    }

    /// Evicts pages that the system considers clean from the page cache: data that a failed sync
    /// did not write reads as before.
    package func dropCleanCache() {
        disk.withLock { disk in
            for inode in disk.inodes.keys { disk.inodes[inode]?.dropCleanCache() }
        }
    }

    /// Sets the limit for the total size of all files.
    package func setCapacity(_ bytes: Int?) { disk.withLock { $0.capacity = bytes } }

    /// Leaves room for some bytes only.
    package func fill(leaving bytes: Int = 0) {
        disk.withLock { disk in
            disk.capacity = Int.max
            disk.capacity = Int.max - disk.room + bytes
        }
    }

    /// Sets whether the file system reserves blocks past the end of a file.
    package func setCanReserve(_ canReserve: Bool) {
        disk.withLock { $0.canReserve = canReserve }
    }

    /// Makes the file system read-only, or writable again; open handles keep their access.
    package func setReadOnly(_ isReadOnly: Bool) { disk.withLock { $0.isReadOnly = isReadOnly } }

    /// Sets the location of the files; nothing else changes, including the locks.
    package func setVolume(_ kind: VolumeKind) { disk.withLock { $0.volume = kind } }

    /// Sets the reported holders of locks, for every file.
    package func setLockHolders(_ holders: [LockHolder]) {
        disk.withLock { $0.lockHolders = holders }
    }

    /// The number of open handles on the whole disk.
    package var openHandleCount: Int {
        disk.withLock { $0.handles.count }
    }

    /// Whether any lock is held by anyone.
    package var hasLocks: Bool { disk.withLock { $0.locks.isHeld } }
}
