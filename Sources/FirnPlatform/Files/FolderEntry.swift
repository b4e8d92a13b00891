#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// Something that stands in a folder, for whoever chooses a file there.
package struct FolderEntry: Hashable, Sendable {
    package let name: String
    package let isFolder: Bool

    /// What stands in a folder under names that begin with a prefix, in no order, at most so many;
    /// nothing if the folder cannot be read.
    ///
    /// Names that are not UTF-8 or hold control characters are left out: nobody can type them.
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
}
