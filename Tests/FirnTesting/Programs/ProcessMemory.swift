import FirnPlatform
import Glibc

/// The peak memory use of this process.
package enum ProcessMemory {
    /// The peak in bytes; `nil` on systems that do not report it, or where a sanitizer would use
    /// most of it.
    ///
    /// Not the result of `getrusage`: on Linux that includes the parent process.
    package static var highest: Int? {
        var bytes = [UInt8](repeating: 0, count: 4096)
        guard dlsym(nil, "__asan_init") == nil, dlsym(nil, "__tsan_init") == nil,
            let file = try? SystemFileSystem().open("/proc/self/status", .readOnly),
            let count = bytes.withUnsafeMutableBytes({ try? file.read(at: 0, into: $0) })
        else { return nil }
        let lines = String(decoding: bytes.prefix(count), as: UTF8.self).split(separator: "\n")
        let line = lines.first { $0.hasPrefix("VmHWM:") }
        return line?.split(separator: " ").compactMap { Int($0) }.first.map { $0 * 1024 }
    }
}
