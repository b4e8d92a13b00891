import FirnValues

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// Reads `/proc`, where any entry may disappear between two calls.
///
/// That is never an error.
enum ProcFolder {
    /// Returns the names in a folder, in no order, except those that start with a dot.
    static func names(in folder: String, max: Int) -> [String] {
        guard let stream = opendir(folder) else { return [] }
        defer { closedir(stream) }
        var names: [String] = []
        while names.count < max, let entry = readdir(stream) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
                String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            if !name.hasPrefix(".") { names.append(name) }
        }
        return names
    }

    /// Returns the start of a file; `nil` if it cannot be read.
    static func text(_ path: String, bytesMax: Int) -> String? {
        guard let file = try? SystemFileSystem.openRegular(path, .readOnly, followsLinks: true)
        else { return nil }
        return withUnsafeTemporaryAllocation(byteCount: bytesMax, alignment: 1) { buffer in
            (try? file.read(at: 0, into: buffer)).map {
                String(decoding: UnsafeRawBufferPointer(buffer)[..<$0], as: UTF8.self)
            }
        }
    }
}
