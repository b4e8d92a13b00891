import FirnEngine
package import FirnPlatform

/// A file that appears under its name only when it is complete and on disk: written under a
/// temporary name in the same folder, synced, renamed, and the folder synced.
///
/// Dropping it without ``commit()`` removes what was written.
package final class AtomicFile: ByteSink {
    /// What may stand at the path already.
    package enum Existing: Sendable {
        case refused
        case replaced
    }

    package let path: String
    private let temporaryPath: String
    private let files: any FileSystem
    private let file: any File
    private let existing: Existing
    /// How many bytes were written.
    package private(set) var size: UInt64 = 0
    private var isSettled = false
    /// Held as long as a file of a known name is written.
    private var lock: TemporaryLock?

    /// - Parameters:
    ///   - isPrivate: whether it is for its owner only, whatever the mask of the process is.
    ///   - inputs: files that are being read: the output does not take their place.
    ///   - isRepeated: whether the same file is written again and again, so that what a killed process
    ///     leaves has a name that the next one knows and removes.
    package init(
        _ path: String, _ existing: Existing, services: SystemServices, isPrivate: Bool = false,
        keeping inputs: [String] = [], isRepeated: Bool = false
    ) throws(PlatformError) {
        self.path = path
        self.existing = existing
        files = services.files
        try AtomicFile.check(path, existing, services.files, keeping: inputs)
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
        // Renaming over a device or a folder is never what was meant.
        guard status.kind == .regular else {
            throw PlatformError(.notARegularFile, operation: "create", path: path)
        }
        guard existing == .replaced else {
            throw PlatformError(.alreadyExists, operation: "create", path: path)
        }
        // The only copy of somebody's data may have the name of an output by mistake.
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

    /// Gives the file its name, durably.
    package func commit() throws(PlatformError) {
        try file.sync(.full)
        // Meanwhile somebody may have made a database of that name.
        try AtomicFile.check(path, existing, files, keeping: [])
        try files.rename(temporaryPath, to: path, replacing: existing == .replaced)
        isSettled = true
        try files.syncDirectory(holding: path)
    }

    /// Removes what was written.
    package func abandon() {
        guard !isSettled else { return }
        isSettled = true
        // Nothing depends on the file: if it cannot be removed, it only takes space.
        try? files.remove(temporaryPath)
    }

    /// A name in the same folder for what takes the place of a file again and again.
    private static func knownPath(beside path: String) -> String {
        let folder = path.lastIndex(of: "/").map { path[...$0] } ?? ""
        // No longer than a name may be.
        let name = String(
            decoding: PathName.lastComponent(of: path).utf8.prefix(200), as: UTF8.self)
        return "\(folder).firn-\(name).tmp"
    }

    /// Returns an unpredictable name in the same folder.
    package static func temporaryPath(beside path: String, _ entropy: any Entropy) -> String {
        let folder = path.lastIndex(of: "/").map { path[...$0] } ?? ""
        return "\(folder).firn-\(String(entropy.random64(), radix: 36)).tmp"
    }
}
