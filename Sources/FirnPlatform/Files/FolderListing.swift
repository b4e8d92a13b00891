import FirnValues

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// The names in a folder, for suggestions and completions.
package enum FolderListing {
    /// The maximum number of names.
    ///
    /// More are not useful, and take long to read.
    private static let nameCountMax = 10_000

    /// Returns the names, without `.` and `..`, in no order.
    ///
    /// The result is empty if the folder cannot be read.
    ///
    /// A name that is not UTF-8 is left out, because it could not be typed as displayed.
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
