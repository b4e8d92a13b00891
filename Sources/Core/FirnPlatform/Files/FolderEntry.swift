import FirnValues

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// An entry of a folder.
package struct FolderEntry: Hashable, Sendable {
    package let name: String
    /// The kind of the file, or of the target of a link; `nil` if it cannot be examined.
    package let kind: FileStatus.Kind?

    package var isFolder: Bool { kind == .directory }

    /// Returns the entries of a folder, in no order.
    ///
    /// - Parameter countMax: the number of entries after which no more are read.
    /// - Throws: ``PlatformError`` if the folder cannot be read, and with `invalidText` if a name is not
    ///   UTF-8: no path can name it, and without it the result would not be complete.
    package static func all(
        in folder: String, countMax: Int
    ) throws(PlatformError) -> [FolderEntry] {
        var entries: [FolderEntry] = []
        guard countMax > 0 else { return entries }
        try FolderListing.read(folder) { bytes throws(PlatformError) in
            guard let name = String(validating: bytes, as: UTF8.self) else {
                let shown = "\(folder)/\(String(decoding: bytes, as: UTF8.self))"
                throw PlatformError(
                    .invalidText, operation: "its name is not UTF-8", path: shown)
            }
            entries.append(FolderEntry(name, in: folder))
            return entries.count < countMax
        }
        return entries
    }

    /// Returns at most `countMax` entries of a folder whose names begin with a prefix, for choosing a
    /// file, in no order.
    ///
    /// The result is empty if the folder cannot be read. Names that are not UTF-8 or that contain
    /// control characters are left out, because they cannot be typed.
    package static func choices(
        in folder: String, startingWith prefix: String, countMax: Int
    ) -> [FolderEntry] {
        var entries: [FolderEntry] = []
        guard countMax > 0 else { return entries }
        try? FolderListing.read(folder) { bytes in
            if let name = String(validating: bytes, as: UTF8.self), name.hasPrefix(prefix),
                bytes.allSatisfy({ $0 >= 0x20 && $0 != 0x7F })
            {
                entries.append(FolderEntry(name, in: folder))
            }
            return entries.count < countMax
        }
        return entries
    }

    private init(_ name: String, in folder: String) {
        self.name = name
        var status = stat()
        guard stat("\(folder)/\(name)", &status) == 0 else {
            kind = nil
            return
        }
        switch status.st_mode & S_IFMT {
        case S_IFREG: kind = .regular
        case S_IFDIR: kind = .directory
        default: kind = .other
        }
    }

    /// Returns whether the name matches a pattern of the shell, such as `2013-*.csv`.
    package func matches(_ pattern: String) -> Bool { fnmatch(pattern, name, FNM_PERIOD) == 0 }
}
