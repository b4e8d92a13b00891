import Glibc

/// A private real folder for one test, removed with its content when the test ends.
package final class TemporaryFolder: Sendable {
    package let path: String

    package init() {
        let base = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
        var template = Array("\(base)/firn-test-XXXXXX".utf8CString)
        let made = mkdtemp(&template)
        precondition(made != nil, "cannot make a temporary folder in \(base)")
        path = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    deinit { TemporaryFolder.removeTree(path) }

    /// A path in the folder.
    package func callAsFunction(_ name: String) -> String { "\(path)/\(name)" }

    /// Makes a folder in it, one in that, and so on.
    package func makeFolders(_ names: String...) {
        var path = path
        for name in names {
            path += "/" + name
            let made = mkdir(path, 0o700)
            precondition(made == 0, "cannot make \(path)")
        }
    }

    /// The names in the folder, in order.
    package var names: [String] { TemporaryFolder.names(in: path).sorted() }

    package static func names(in folder: String) -> [String] {
        guard let stream = opendir(folder) else { return [] }
        defer { closedir(stream) }
        var names: [String] = []
        while let entry = readdir(stream) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
                String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names
    }

    private static func removeTree(_ path: String) {
        var status = stat()
        guard lstat(path, &status) == 0 else { return }
        guard status.st_mode & S_IFMT == S_IFDIR else {
            unlink(path)
            return
        }
        // A test may have removed the permissions on purpose.
        chmod(path, 0o700)
        for name in names(in: path) { removeTree("\(path)/\(name)") }
        rmdir(path)
    }
}
