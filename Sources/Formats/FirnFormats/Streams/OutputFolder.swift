package import FirnPlatform
import FirnValues

/// A folder that appears under its name only when all of its files are complete and durable: it is
/// written under a temporary name in the same folder, and renamed.
///
/// If it is released without ``commit()``, the written data is removed.
package final class OutputFolder {
    /// The maximum number of entries, more than any output has.
    private static let entryCountMax = 1 << 22

    let path: String
    private let temporaryPath: String
    private let services: SystemServices
    private let existing: AtomicFile.Existing
    /// The inner folders that were created, each after the folder that contains it.
    private var folders: [String] = []
    private var known: TextSet = []
    private var names: [String] = []
    /// The number of bytes of all files that are complete.
    package private(set) var size: UInt64 = 0
    private var isSettled = false

    package init(
        _ path: String, _ existing: AtomicFile.Existing, services: SystemServices
    ) throws(PlatformError) {
        var trimmed = path[...]
        while trimmed.count > 1, trimmed.hasSuffix("/") { trimmed.removeLast() }
        // The target of a link is replaced; what is behind another user's link is not touched.
        guard let target = try services.files.ownTarget(of: String(trimmed)) else {
            throw PlatformError(.notReplaceable, operation: "replace", path: path)
        }
        self.path = target
        self.existing = existing
        self.services = services
        temporaryPath = AtomicFile.temporaryPath(beside: self.path, services.entropy)
        try checkExisting()
        try SystemFolder.make(temporaryPath)
    }

    deinit { abandon() }

    /// Creates a file.
    ///
    /// - Parameter folder: the folders inside, separated by slashes; they are made if necessary.
    func newFile(_ name: String, in folder: String) throws(PlatformError) -> OutputFolderFile {
        var inside = ""
        for part in folder.split(separator: "/") {
            inside += "/" + part
            guard known.insert(inside).inserted else { continue }
            try SystemFolder.make(temporaryPath + inside)
            folders.append(inside)
        }
        let path = "\(temporaryPath)\(inside)/\(name)"
        let file = try services.files.createOutput(path, replacing: path)
        names.append("\(inside)/\(name)")
        return OutputFolderFile(file)
    }

    /// Marks a file as complete.
    func close(_ file: OutputFolderFile) throws(PlatformError) {
        try file.sync()
        size += file.size
    }

    /// Gives the folder its final name, durably.
    package func commit() throws(PlatformError) {
        for folder in folders + [""] {
            try services.files.syncDirectory(holding: "\(temporaryPath)\(folder)/.")
        }
        // Another process may have created it in the meantime.
        let old = try checkExisting() ? try replace() : try moveInto()
        isSettled = true
        try services.files.syncDirectory(holding: path)
        // Another process may have put something into it in the meantime.
        if let old, try isOutput(old) { try removeAll(old) }
    }

    private func moveInto() throws(PlatformError) -> String? {
        try services.files.rename(temporaryPath, to: path, replacing: false)
        return nil
    }

    /// Puts the written folder in place of the existing one, so that a crash leaves one of them.
    ///
    /// - Returns: the name of the old folder.
    private func replace() throws(PlatformError) -> String {
        if try SystemFolder.exchange(temporaryPath, path) { return temporaryPath }
        // On a file system without an exchange, a crash between the steps leaves the old folder under the
        // other name.
        let old = AtomicFile.temporaryPath(beside: path, services.entropy)
        try services.files.rename(path, to: old, replacing: false)
        do { try services.files.rename(temporaryPath, to: path, replacing: false) } catch {
            // The first error is reported.
            try? services.files.rename(old, to: path, replacing: false)
            throw error
        }
        return old
    }

    /// Removes the written data.
    func abandon() {
        guard !isSettled else { return }
        isSettled = true
        // Errors are ignored: a leftover only takes space.
        for name in names { try? services.files.remove(temporaryPath + name) }
        for folder in folders.reversed() { try? SystemFolder.remove(temporaryPath + folder) }
        try? SystemFolder.remove(temporaryPath)
    }

    // MARK: An existing folder

    /// Rejects an existing folder that must not be replaced.
    ///
    /// - Returns: whether there is one that is replaced.
    @discardableResult
    private func checkExisting() throws(PlatformError) -> Bool {
        guard let status = try services.files.status(of: path) else { return false }
        let isFolder = status.kind == .directory
        if isFolder, try FolderEntry.all(in: path, countMax: 1).isEmpty { return true }
        guard isFolder, existing == .replaced else {
            throw PlatformError(.alreadyExists, operation: "create", path: path)
        }
        // Only what such an output has written may be removed.
        guard try isOutput(path) else {
            throw PlatformError(.notReplaceable, operation: "replace", path: path)
        }
        return true
    }

    private func isOutput(_ folder: String) throws(PlatformError) -> Bool {
        for entry in try FolderEntry.all(in: folder, countMax: OutputFolder.entryCountMax) {
            if entry.isFolder {
                guard entry.name.contains("="), try isOutput("\(folder)/\(entry.name)") else {
                    return false
                }
            } else if !entry.name.hasPrefix("part-") {
                return false
            }
        }
        return true
    }

    private func removeAll(_ folder: String) throws(PlatformError) {
        for entry in try FolderEntry.all(in: folder, countMax: OutputFolder.entryCountMax) {
            let path = "\(folder)/\(entry.name)"
            if entry.isFolder { try removeAll(path) } else { try services.files.remove(path) }
        }
        try SystemFolder.remove(folder)
    }
}

/// A file of an ``OutputFolder``.
final class OutputFolderFile: ByteSink {
    private let file: any File
    fileprivate private(set) var size: UInt64 = 0

    fileprivate init(_ file: any File) { self.file = file }

    func write(_ bytes: UnsafeRawBufferPointer) throws(PlatformError) {
        try file.write(bytes, at: size)
        size += UInt64(bytes.count)
    }

    fileprivate func sync() throws(PlatformError) { try file.sync(.full) }
}
