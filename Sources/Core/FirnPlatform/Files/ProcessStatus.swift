import FirnValues

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// The data about another process for a message.
struct ProcessStatus {
    private static let commandBytesMax = 4096
    private static let statusBytesMax = 4096

    let command: String
    let ageSeconds: UInt64
    let isStopped: Bool

    /// Queries the system; `nil` if the process no longer exists.
    init?(pid: Int32) {
        guard let status = ProcFolder.text("/proc/\(pid)/stat", bytesMax: Self.statusBytesMax),
            let uptime = ProcFolder.text("/proc/uptime", bytesMax: Self.statusBytesMax)
        else { return nil }
        let arguments = ProcFolder.text(
            "/proc/\(pid)/cmdline", bytesMax: Self.commandBytesMax)
        self.init(
            arguments: arguments ?? "", status: status, uptime: uptime,
            ticksPerSecond: UInt64(clamping: sysconf(Int32(_SC_CLK_TCK))))
    }

    /// Parses the three files: arguments that end with NUL, `stat`, `uptime`.
    init?(arguments: String, status: String, uptime: String, ticksPerSecond: UInt64) {
        // The name is in parentheses, and may itself contain parentheses.
        guard let (before, rest) = status.cut(atLast: ")"), let (_, name) = before.cut(at: "(")
        else { return nil }
        let fields = rest.split(separator: " ")
        // The state is the third field of the line and the first after the name. The start time, in
        // ticks since the boot, is the 22nd field.
        guard fields.count > 19, let start = UInt64(fields[19]),
            let now = uptime.split(separator: ".").first.flatMap({ UInt64($0) })
        else { return nil }
        isStopped = fields[0] == "T" || fields[0] == "t"
        let startSeconds = start / max(1, ticksPerSecond)
        ageSeconds = now > startSeconds ? now - startSeconds : 0
        let words = arguments.split(separator: "\0").joined(separator: " ")
        // A process may erase its arguments, and one that is about to exit has none.
        command = words.isEmpty ? String(name) : words
    }
}
