import FirnValues

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// The names in a folder.
package enum FolderListing {
    /// The maximum number of suggested names.
    ///
    /// More are not useful, and take long to read.
    private static let nameCountMax = 10_000

    /// Returns the names for suggestions and completions, without `.` and `..`, in no order.
    ///
    /// The result is empty if the folder cannot be read.
    ///
    /// A name that is not UTF-8 is left out, because it could not be typed as displayed.
    package static func names(in path: String) -> [String] {
        var names: [String] = []
        try? read(path) { bytes in
            if let name = String(validating: bytes, as: UTF8.self) { names.append(name) }
            return names.count < nameCountMax
        }
        return names
    }

    /// Calls a function with the bytes of each name except `.` and `..`, in no order, until it returns
    /// `false`.
    ///
    /// - Throws: ``PlatformError`` if the folder cannot be read to its end.
    static func read(
        _ path: String, _ body: ([UInt8]) throws(PlatformError) -> Bool
    ) throws(PlatformError) {
        guard !path.utf8.contains(0) else {
            throw PlatformError(.invalidPath, operation: "opendir", path: path)
        }
        guard let folder = opendir(path) else {
            throw PlatformError(system: errno, operation: "opendir", path: path)
        }
        defer { closedir(folder) }
        while true {
            // At the end, the result is the same as after an error, and errno is not changed.
            errno = 0
            guard let entry = readdir(folder) else { break }
            let name = withUnsafeBytes(of: &entry.pointee.d_name) { Array($0.prefix { $0 != 0 }) }
            guard name != [0x2E], name != [0x2E, 0x2E] else { continue }
            guard try body(name) else { return }
        }
        guard errno == 0 else {
            throw PlatformError(system: errno, operation: "readdir", path: path)
        }
    }
}
