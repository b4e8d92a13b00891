import FirnEngine
package import FirnPlatform
import FirnValues

/// A file that appears under its name only when it is complete and durable: it is written under a
/// temporary name in the same folder, synced and renamed, and the folder is synced.
///
/// Behind a symbolic link of this user, the target is replaced: other programs read it by that name.
/// A link that another user has put there is replaced itself.
///
/// If it is released without ``commit()``, the written data is removed.
package final class AtomicFile: ByteSink {
    /// The files that may exist at the path.
    package enum Existing: Sendable {
        case refused
        case replaced
    }

    package let path: String
    /// The name until ``commit()``, for a library that writes the file by its name.
    package let temporaryPath: String
    private let files: any FileSystem
    private let file: any File
    private let existing: Existing
    /// The number of written bytes.
    package private(set) var size: UInt64 = 0
    private var isSettled = false
    /// Held while a file of a known name is written.
    private var lock: TemporaryLock?

    /// - Parameters:
    ///   - isPrivate: whether only the owner has access, regardless of the umask of the process.
    ///   - inputs: the files being read, which the output must not replace.
    ///   - isRepeated: whether the same file is written repeatedly, so that a leftover of a killed
    ///     process has a known name and is removed by the next process.
    package init(
        _ path: String, _ existing: Existing, services: SystemServices, isPrivate: Bool = false,
        keeping inputs: [String] = [], isRepeated: Bool = false
    ) throws(PlatformError) {
        let target = existing == .replaced ? try services.files.ownTarget(of: path) : nil
        let path = target ?? path
        try AtomicFile.check(path, existing, services.files, keeping: inputs)
        self.path = path
        self.existing = existing
        files = services.files
        if isRepeated, isPrivate,
            let lock = try TemporaryLock.take(AtomicFile.knownPath(beside: path), services.files)
        {
            self.lock = lock
            temporaryPath = lock.path
            file = lock.file
            return
        }
        temporaryPath = AtomicFile.temporaryPath(beside: path, services.entropy)
        file =
            isPrivate
            ? try files.open(temporaryPath, .createNew)
            : try files.createOutput(temporaryPath, replacing: path)
    }

    private static func check(
        _ path: String, _ existing: Existing, _ files: any FileSystem, keeping inputs: [String]
    ) throws(PlatformError) {
        guard let status = try files.status(of: path) else { return }
        // Replacing a device or a folder is never intended.
        guard status.kind == .regular else {
            throw PlatformError(.notARegularFile, operation: "create", path: path)
        }
        guard existing == .replaced else {
            throw PlatformError(.alreadyExists, operation: "create", path: path)
        }
        // An output may have the name of a database by mistake.
        var isKept = try DatabaseFile.isPart(of: path, files)
        for input in inputs where !isKept {
            isKept = try files.status(of: input)?.identity == status.identity
        }
        if isKept { throw PlatformError(.notReplaceable, operation: "replace", path: path) }
    }

    deinit { abandon() }

    package func write(_ bytes: UnsafeRawBufferPointer) throws(PlatformError) {
        try file.write(bytes, at: size)
        size += UInt64(bytes.count)
    }

    /// Takes the size of a file that a library has written by its name.
    package func updateSize() throws(PlatformError) { size = try file.status().size }

    /// Gives the file its final name, durably.
    package func commit() throws(PlatformError) {
        try file.sync(.full)
        // Another process may have created a database of that name in the meantime.
        try AtomicFile.check(path, existing, files, keeping: [])
        try files.rename(temporaryPath, to: path, replacing: existing == .replaced)
        isSettled = true
        try files.syncDirectory(holding: path)
    }

    /// Removes the written data.
    package func abandon() {
        guard !isSettled else { return }
        isSettled = true
        // An error is ignored: a leftover file only takes space.
        try? files.remove(temporaryPath)
    }

    /// Returns a name in the same folder for a file that is replaced repeatedly.
    private static func knownPath(beside path: String) -> String {
        let folder = path.cut(atLast: "/").map { "\($0.before)/" } ?? ""
        // The name must not exceed the length limit.
        let name = String(
            decoding: PathName.lastComponent(of: path).utf8.prefix(200), as: UTF8.self)
        return "\(folder).firn-\(name).tmp"
    }

    /// Returns an unpredictable name in the same folder.
    package static func temporaryPath(beside path: String, _ entropy: any Entropy) -> String {
        let folder = path.cut(atLast: "/").map { "\($0.before)/" } ?? ""
        return "\(folder).firn-\(String(entropy.random64(), radix: 36)).tmp"
    }
}
