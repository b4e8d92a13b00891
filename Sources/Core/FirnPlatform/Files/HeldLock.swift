import FirnValues

/// A lock as shown in `/proc/PID/fdinfo`.
///
///     lock:   1: OFDLCK ADVISORY  READ -1 fe:00:16220240 2305843009213693957 EOF
struct HeldLock: Hashable {
    let range: LockRange
    let kind: LockKind

    /// Parses one line; `nil` if it describes anything else, including a lock of another kind.
    init?(line: some StringProtocol) {
        let words = line.split { $0 == " " || $0 == "\t" }
        guard words.count == 9, words[0] == "lock:", words[2] == "OFDLCK",
            let start = UInt64(words[7]), start < UInt64(Int64.max)
        else { return nil }
        switch words[4] {
        case "READ": kind = .shared
        case "WRITE": kind = .exclusive
        default: return nil
        }
        // The last byte; `EOF` means no end.
        let end = words[8] == "EOF" ? UInt64(Int64.max) - 1 : UInt64(words[8]) ?? 0
        guard end >= start, end < UInt64(Int64.max) else { return nil }
        range = LockRange(start: start, length: end - start + 1)
    }
}
