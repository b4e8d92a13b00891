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

    package init(
        _ path: String, _ existing: Existing, services: SystemServices
    ) throws(PlatformError) {
        self.path = path
        self.existing = existing
        files = services.files
        if let status = try files.status(of: path) {
            // Renaming over a device or a folder is never what was meant.
            guard status.kind == .regular else {
                throw PlatformError(.notARegularFile, operation: "create", path: path)
            }
            guard existing == .replaced else {
                throw PlatformError(.alreadyExists, operation: "create", path: path)
            }
        }
        temporaryPath = AtomicFile.temporaryPath(beside: path, services.entropy)
        file = try files.open(temporaryPath, .createNew)
    }

    deinit { abandon() }

    package func write(_ bytes: UnsafeRawBufferPointer) throws(PlatformError) {
        try file.write(bytes, at: size)
        size += UInt64(bytes.count)
    }

    /// Gives the file its name, durably.
    package func commit() throws(PlatformError) {
        try file.sync(.full)
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

    /// A name in the same folder that nobody can foresee.
    package static func temporaryPath(beside path: String, _ entropy: any Entropy) -> String {
        let folder = path.lastIndex(of: "/").map { path[...$0] } ?? ""
        return "\(folder).firn-\(String(entropy.random64(), radix: 36)).tmp"
    }
}
