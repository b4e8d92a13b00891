import FirnPlatform
import FirnValues

/// The progress of reading a subset completely, on the standard error.
///
///     reading Flight  ██████░░░░░░░░░░░░░░  31%  104,000 of 336,776 rows  98,000 rows/s  2 s left
///
/// Work of less than half a second shows none.
final class ReadingProgress {
    private static let delayNanoseconds: UInt64 = 500_000_000
    private static let stepNanoseconds: UInt64 = 100_000_000

    private let clock: any Clock
    private var name = ""
    private var start: UInt64 = 0
    /// The earliest time of the next update.
    private var next: UInt64 = 0
    private var hasLine = false

    init(_ clock: any Clock) { self.clock = clock }

    /// Shows how many rows of a class have been read.
    func update(_ name: String, done: Int, of total: Int) {
        let now = clock.monotonicNanoseconds()
        if name != self.name || start == 0 {
            if self.name.isEmpty { next = now &+ ReadingProgress.delayNanoseconds }
            (self.name, start) = (name, now)
        }
        if done >= total { return clear() }
        guard now >= next else { return }
        next = now &+ ReadingProgress.stepNanoseconds
        SyncOutput.report("\r\u{1B}[K\(line(done, total, nanoseconds: now &- start))")
        hasLine = true
    }

    /// Removes the line.
    private func clear() {
        if hasLine { SyncOutput.report("\r\u{1B}[K") }
        hasLine = false
    }

    private func line(_ done: Int, _ total: Int, nanoseconds: UInt64) -> String {
        func count(_ number: Int) -> String { CountText.grouped(UInt64(clamping: number)) }
        var details = ["\(count(done)) of \(count(total)) rows"]
        let rate = Double(done) / (Double(max(1, nanoseconds)) / 1e9)
        if done > 0, let rowsPerSecond = Int(exactly: rate.rounded()), rowsPerSecond > 0 {
            details.append("\(count(rowsPerSecond)) rows/s")
            details.append("\(count((total - done) / rowsPerSecond)) s left")
        }
        return ProgressText.line(
            "reading \(SafeText.escaping(name))", part: Double(done) / Double(max(1, total)),
            details: details, columns: StandardStream.error.windowColumns ?? 80,
            drawsUnicode: ReadingProgress.drawsUnicode)
    }

    private static var drawsUnicode: Bool {
        for name in ["LC_ALL", "LC_CTYPE", "LANG"] {
            guard let locale = Environment.variable(name)?.lowercased() else { continue }
            return locale.contains("utf-8") || locale.contains("utf8")
        }
        return true
    }
}
