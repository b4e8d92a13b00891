package import FirnPlatform

// What a test does to a disk behind the back of the programs that use it.
extension SimulatedFileSystem {
    /// Makes a folder, durable at once; the folders above it too.
    package func makeFolder(_ path: String) {
        var folder = SimulatedNames.normal(path)
        disk.withLock { disk in
            while disk.names.folders.insert(folder).inserted {
                folder = SimulatedNames.folder(of: folder)
            }
        }
    }

    /// Makes something that is neither file nor folder, such as a FIFO.
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

    /// All bytes of a file that are on the platter for certain; `nil` if there is no file.
    package func durableContents(of path: String) -> [UInt8]? {
        let key = SimulatedNames.normal(path)
        return disk.withLock { disk in
            disk.names.current[key].flatMap { disk.inodes[$0]?.durable }
        }
    }

    /// Puts a file there, durable with its name, in place of any other.
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

    /// Throws out of the page cache what the system believes to be clean: what a failed sync did
    /// not write now reads as it was before.
    package func dropCleanCache() {
        disk.withLock { disk in
            for inode in disk.inodes.keys { disk.inodes[inode]?.dropCleanCache() }
        }
    }

    /// Sets how many bytes all files together may have.
    package func setCapacity(_ bytes: Int?) { disk.withLock { $0.capacity = bytes } }

    /// Leaves no room for another byte.
    package func fill() {
        disk.withLock { disk in
            disk.capacity = Int.max
            disk.capacity = Int.max - disk.room
        }
    }

    /// Says whether the file system keeps blocks behind the end of a file.
    package func setCanReserve(_ canReserve: Bool) {
        disk.withLock { $0.canReserve = canReserve }
    }

    /// Makes the file system read-only, or writable again; open handles keep what they may do.
    package func setReadOnly(_ isReadOnly: Bool) { disk.withLock { $0.isReadOnly = isReadOnly } }

    /// Says where the files lie; nothing else changes, also not the locks.
    package func setVolume(_ kind: VolumeKind) { disk.withLock { $0.volume = kind } }

    /// Says whom the machine names as the holders of locks, whatever the file.
    package func setLockHolders(_ holders: [LockHolder]) {
        disk.withLock { $0.lockHolders = holders }
    }

    /// How many handles are open on the whole disk.
    package var openHandleCount: Int {
        disk.withLock { $0.handles.count }
    }

    /// Whether any lock is held by anyone.
    package var hasLocks: Bool { disk.withLock { $0.locks.isHeld } }
}
