import FirnPlatform
import Glibc

// The kernel's checks before it changes a name.
extension SimulatedDisk {
    /// Refuses files that cannot be opened in this mode.
    func checkOpening(_ key: String, _ path: String, _ mode: OpenMode) throws(PlatformError) {
        func refuse(_ number: Int32) throws(PlatformError) -> Never {
            throw PlatformError(system: number, operation: "open", path: path)
        }
        let exists = status(ofName: key) != nil
        if mode == .createNew {
            if exists { try refuse(EEXIST) }
            if !names.folders.contains(SimulatedNames.folder(of: key)) { try refuse(ENOENT) }
            if isReadOnly { try refuse(EROFS) }
            return
        }
        if !exists { try refuse(ENOENT) }
        if mode == .readWrite, names.folders.contains(key) { try refuse(EISDIR) }
        guard names.current[key] != nil else {
            throw PlatformError(.notARegularFile, operation: "open", path: path)
        }
        if isReadOnly, mode == .readWrite { try refuse(EROFS) }
    }

    mutating func createIfNew(_ key: String, _ mode: OpenMode) {
        guard mode == .createNew else { return }
        let inode = takeNumber()
        inodes[inode] = SimulatedInode()
        names.create(key, inode)
    }

    /// The file with a name that is about to be removed or renamed.
    func inodeToChange(
        _ key: String, _ path: String, _ operation: String
    ) throws(PlatformError) -> UInt64 {
        if isReadOnly { throw PlatformError(system: EROFS, operation: operation, path: path) }
        guard let inode = names.current[key] else {
            let number = status(ofName: key) == nil ? ENOENT : EISDIR
            throw PlatformError(system: number, operation: operation, path: path)
        }
        return inode
    }

    /// Refuses a new name that is taken, or in a missing folder.
    func checkNewName(
        _ key: String, _ path: String, for oldKey: String, replacing: Bool
    ) throws(PlatformError) {
        var number: Int32 = 0
        if !names.folders.contains(SimulatedNames.folder(of: key)) { number = ENOENT }
        if names.folders.contains(key) {
            number = oldKey.hasPrefix(key + "/") ? ENOTEMPTY : EISDIR
        }
        if !replacing, status(ofName: key) != nil { number = EEXIST }
        if number != 0 { throw PlatformError(system: number, operation: "rename", path: path) }
    }

    func status(ofName key: String) -> FileStatus? {
        if let inode = names.current[key] { return status(of: inode) }
        let isFolder = names.folders.contains(key)
        guard isFolder || names.specialFiles.contains(key) else { return nil }
        return FileStatus(
            kind: isFolder ? .directory : .other,
            identity: FileIdentity(device: 1, inode: UInt64.max), size: 0, linkCount: 1)
    }

    func status(of inode: UInt64) -> FileStatus {
        FileStatus(
            kind: .regular, identity: FileIdentity(device: 1, inode: inode),
            size: UInt64(inodes[inode]?.cached.count ?? 0),
            linkCount: UInt64(names.linkCount(of: inode)))
    }
}
