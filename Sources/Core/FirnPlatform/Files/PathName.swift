import FirnValues

/// Pure functions on paths, which do not access the disk.
package enum PathName {
    /// Returns the folder of the last component: `.` for a bare name, `/` for a name in the root.
    package static func folder(of path: String) -> String {
        let bytes = trimmed(path)
        guard let slash = bytes.lastIndex(of: UInt8(ascii: "/")) else { return "." }
        var end = slash
        while end > bytes.startIndex, bytes[end - 1] == UInt8(ascii: "/") { end -= 1 }
        return end == bytes.startIndex
            ? "/" : String(decoding: bytes[bytes.startIndex..<end], as: UTF8.self)
    }

    /// Returns the last component; empty for the root.
    package static func lastComponent(of path: String) -> String {
        let bytes = trimmed(path)
        let slash = bytes.lastIndex(of: UInt8(ascii: "/"))
        let start = slash.map { $0 + 1 } ?? bytes.startIndex
        return String(decoding: bytes[start...], as: UTF8.self)
    }

    /// Returns the part of the last component after its last dot.
    ///
    /// The result is `nil` if that part is empty, or if the dot only hides the file.
    package static func suffix(of path: String) -> String? {
        let name = lastComponent(of: path)
        guard let (stem, suffix) = name.cut(atLast: "."), !stem.isEmpty, !suffix.isEmpty else {
            return nil
        }
        return String(suffix)
    }

    /// Returns the path without trailing slashes, except for the root itself.
    private static func trimmed(_ path: String) -> ArraySlice<UInt8> {
        var bytes = Array(path.utf8)[...]
        while bytes.count > 1, bytes.last == UInt8(ascii: "/") { bytes.removeLast() }
        return bytes
    }
}
