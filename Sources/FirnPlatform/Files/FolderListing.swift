#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// The names in a folder, for suggestions and completions.
package enum FolderListing {
    /// More names are no help to anybody, and reading them takes long.
    private static let nameCountMax = 10_000

    /// The names, without `.` and `..`, in no order; none if the folder cannot be read.
    ///
    /// A name that is not UTF-8 is left out: it could not be typed as it would be shown.
    package static func names(in path: String) -> [String] {
        guard let folder = opendir(path) else { return [] }
        defer { closedir(folder) }
        var names: [String] = []
        while names.count < nameCountMax, let entry = readdir(folder) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                pointer.withMemoryRebound(
                    to: CChar.self, capacity: MemoryLayout.size(ofValue: pointer.pointee)
                ) { String(validatingCString: $0) }
            }
            if let name, name != ".", name != ".." { names.append(name) }
        }
        return names
    }
}
