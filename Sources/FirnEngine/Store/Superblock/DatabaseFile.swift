package import FirnPlatform

/// Telling the files of databases from others, also those of damaged ones.
package enum DatabaseFile {
    /// Whether a file begins as a database or a segment of its log does.
    ///
    /// - Parameter path: of a regular file; one that may not be read counts as none.
    package static func isPart(
        of path: String, _ files: any FileSystem
    ) throws(PlatformError) -> Bool {
        let file: any File
        do throws(PlatformError) {
            file = try files.open(path, .readOnly)
        } catch {
            guard error.code == .permissionDenied else { throw error }
            return false
        }
        let start = try file.bytes(at: 0, count: Superblock.magic.count)
        return start == Superblock.magic || start == LogHeader.magic
    }
}
