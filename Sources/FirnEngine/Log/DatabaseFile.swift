package import FirnPlatform

/// Telling the files of databases from others by their beginning, also where the rest is damaged.
package enum DatabaseFile {
    /// Whether a file begins as a database or a segment of its log does.
    ///
    /// - Parameter path: of a regular file; one that may not be read, or is gone, counts as none.
    package static func isPart(
        of path: String, _ files: any FileSystem
    ) throws(PlatformError) -> Bool {
        let file: any File
        do throws(PlatformError) {
            file = try files.open(path, .readOnly)
        } catch {
            guard error.code == .permissionDenied || error.code == .notFound else { throw error }
            return false
        }
        // Any copy will do: the first one may be what is damaged.
        for copy in 0..<Superblock.copyCount {
            let start = try file.bytes(
                at: Superblock.offset(ofCopy: copy), count: Superblock.magic.count)
            if start == Superblock.magic || start == LogHeader.magic { return true }
        }
        return false
    }
}
