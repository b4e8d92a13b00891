package import FirnPlatform

/// Names of temporary files beside a database.
package enum TemporaryName {
    /// Returns an unpredictable hidden name `.NAME.XXXXXXXX.EXTENSION` in the folder of a path.
    package static func beside(
        _ path: String, extension suffix: String, _ entropy: any Entropy
    ) -> String {
        let slash = path.utf8.lastIndex(of: UInt8(ascii: "/"))
        let start = slash.map { path.utf8.index(after: $0) } ?? path.startIndex
        let number = String(entropy.random64() & 0xFFFF_FFFF, radix: 16)
        // The temporary name must not exceed the length limit of file names.
        let stem = String(decoding: path[start...].utf8.prefix(200), as: UTF8.self)
        return path[..<start] + ".\(stem).\(number).\(suffix)"
    }
}
