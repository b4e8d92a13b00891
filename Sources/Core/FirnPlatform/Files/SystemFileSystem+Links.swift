import FirnValues

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

extension SystemFileSystem {
    /// The maximum number of links to follow, as on Linux.
    private static let linkCountMaximum = 40

    package func ownTarget(of path: String) throws(PlatformError) -> String? {
        var target = path
        for _ in 0..<Self.linkCountMaximum {
            var status = stat()
            guard lstat(target, &status) == 0, status.st_mode & S_IFMT == S_IFLNK else {
                return target
            }
            guard status.st_uid == geteuid() else { return nil }
            let text = try Self.content(ofLink: target)
            target =
                text.utf8.first == UInt8(ascii: "/")
                ? text : "\(PathName.folder(of: target))/\(text)"
        }
        throw PlatformError(system: ELOOP, operation: "readlink", path: path)
    }

    private static func content(ofLink path: String) throws(PlatformError) -> String {
        var bytes = [UInt8](repeating: 0, count: Int(PATH_MAX))
        let count = bytes.withUnsafeMutableBytes { buffer in
            buffer.baseAddress.map { base in
                readlink(path, base.assumingMemoryBound(to: CChar.self), buffer.count)
            } ?? -1
        }
        guard count >= 0 else {
            throw PlatformError(system: errno, operation: "readlink", path: path)
        }
        return String(decoding: bytes.prefix(count), as: UTF8.self)
    }
}
