import FirnValues

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// An entry of a folder, for choosing a file.
package struct FolderEntry: Hashable, Sendable {
    package let name: String
    package let isFolder: Bool

    /// Returns at most `countMax` entries of a folder whose names begin with a prefix, in no order.
    ///
    /// The result is empty if the folder cannot be read. Names that are not UTF-8 or that contain
    /// control characters are left out, because they cannot be typed.
    package static func all(
        in folder: String, startingWith prefix: String, countMax: Int
    ) -> [FolderEntry] {
        guard !folder.utf8.contains(0), let stream = opendir(folder) else { return [] }
        defer { closedir(stream) }
        var entries: [FolderEntry] = []
        while entries.count < countMax, let entry = readdir(stream) {
            let bytes = withUnsafeBytes(of: &entry.pointee.d_name) { Array($0.prefix { $0 != 0 }) }
            guard let name = String(validating: bytes, as: UTF8.self), name.hasPrefix(prefix),
                name != ".", name != "..", bytes.allSatisfy({ $0 >= 0x20 && $0 != 0x7F })
            else { continue }
            var status = stat()
            let isFolder =
                stat("\(folder)/\(name)", &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
            entries.append(FolderEntry(name: name, isFolder: isFolder))
        }
        return entries
    }

    /// Returns whether the name matches a pattern of the shell, such as `2013-*.csv`.
    package func matches(_ pattern: String) -> Bool { fnmatch(pattern, name, FNM_PERIOD) == 0 }
}
