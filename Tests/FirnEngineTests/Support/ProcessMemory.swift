import FirnPlatform
import Glibc

@testable import FirnEngine

/// The memory that this process has had at most.
enum ProcessMemory {
    /// In bytes; `nil` where nobody says, or where most of it would be that of a sanitizer.
    ///
    /// Not what `getrusage` says: on Linux that goes on from the process that started this one.
    static var highest: Int? {
        guard dlsym(nil, "__asan_init") == nil, dlsym(nil, "__tsan_init") == nil,
            let file = try? SystemFileSystem().open("/proc/self/status", .readOnly),
            let bytes = try? file.bytes(at: 0, count: 4096)
        else { return nil }
        let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n")
        let line = lines.first { $0.hasPrefix("VmHWM:") }
        return line?.split(separator: " ").compactMap { Int($0) }.first.map { $0 * 1024 }
    }
}
