import Glibc

/// The memory use of this process.
enum ProcessMemory {
    /// Resident bytes; 0 on systems that do not report them.
    static var residentByteCount: Int {
        guard let file = fopen("/proc/self/statm", "r") else { return 0 }
        defer { fclose(file) }
        var text = [CChar](repeating: 0, count: 256)
        guard fgets(&text, Int32(text.count), file) != nil else { return 0 }
        let bytes = text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
        let fields = String(decoding: bytes, as: UTF8.self).split(separator: " ")
        return fields.count > 1 ? (Int(fields[1]) ?? 0) * Int(getpagesize()) : 0
    }
}
