import FirnPlatform

/// Names of files that stand beside a database while something is made.
enum TemporaryName {
    /// A hidden name `.NAME.XXXXXXXX.EXTENSION` in the folder of a path that nobody can onCommitVisible.
    static func beside(_ path: String, extension suffix: String, _ entropy: any Entropy) -> String {
        let slash = path.utf8.lastIndex(of: UInt8(ascii: "/"))
        let start = slash.map { path.utf8.index(after: $0) } ?? path.startIndex
        let number = String(entropy.random64() & 0xFFFF_FFFF, radix: 16)
        // The temporary name must not be longer than a file name may be.
        let stem = String(decoding: path[start...].utf8.prefix(200), as: UTF8.self)
        return path[..<start] + ".\(stem).\(number).\(suffix)"
    }
}
