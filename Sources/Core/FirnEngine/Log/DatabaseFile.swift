package import FirnPlatform
import FirnValues

/// Recognizing database files by their first bytes, even if the rest is damaged.
package enum DatabaseFile {
    /// Whether a file begins like a database or a segment of its log.
    ///
    /// - Parameter path: The path of a regular file. A file that is missing or may not be read does
    ///   not count.
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
        // Any copy will do, because the first one may be damaged.
        for copy in 0..<Superblock.copyCount {
            let start = try file.bytes(
                at: Superblock.offset(ofCopy: copy), count: Superblock.magic.count)
            if start == Superblock.magic || start == LogHeader.magic { return true }
        }
        return false
    }
}
