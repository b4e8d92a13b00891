/// A lock as `/proc/PID/fdinfo` shows it.
///
///     lock:   1: OFDLCK ADVISORY  READ -1 fe:00:16220240 2305843009213693957 EOF
struct HeldLock: Hashable {
    let range: LockRange
    let kind: LockKind

    /// Reads one line; `nil` if it is about something else, also about a lock of another sort.
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
        // The last byte, or no end at all.
        let end = words[8] == "EOF" ? UInt64(Int64.max) - 1 : UInt64(words[8]) ?? 0
        guard end >= start, end < UInt64(Int64.max) else { return nil }
        range = LockRange(start: start, length: end - start + 1)
    }
}
