import FirnFormats
import FirnPlatform
import FirnValues

/// The time limits and the heartbeats of a stream.
final class StreamTimes {
    /// The interval at which signals and the reader are checked while nothing happens.
    static let lookNanoseconds: UInt64 = 100_000_000
    /// The maximum time to hold a version that no commit has followed.
    private static let waitNanoseconds: UInt64 = 1_000_000_000

    /// The deadline of the stream, on the monotonic clock.
    let deadline: UInt64?
    private let idle: UInt64?
    private let heartbeat: UInt64?
    private let clock: any Clock
    private var lastUpdate: UInt64
    private var lastLine: UInt64

    init(_ options: ObserveOptions, _ clock: any Clock) {
        self.clock = clock
        let now = clock.monotonicNanoseconds()
        (lastUpdate, lastLine) = (now, now)
        deadline = options.timeout.map { now.addingSaturated($0.nanoseconds) }
        idle = options.idle?.nanoseconds
        heartbeat = if case .every(let span) = options.heartbeat { span.nanoseconds } else { nil }
    }

    func noteLine() { lastLine = clock.monotonicNanoseconds() }

    func noteUpdate() { lastUpdate = clock.monotonicNanoseconds() }

    /// Whether the time limit of the whole stream was reached.
    var isOver: Bool { deadline.map { clock.monotonicNanoseconds() >= $0 } ?? false }

    /// Whether there was no update for too long.
    var isIdle: Bool {
        idle.map { clock.monotonicNanoseconds() &- lastUpdate >= $0 } ?? false
    }

    var wantsHeartbeat: Bool {
        heartbeat.map { clock.monotonicNanoseconds() &- lastLine >= $0 } ?? false
    }

    /// The time until the next action without a commit.
    var nextNanoseconds: UInt64 {
        let now = clock.monotonicNanoseconds()
        var next = now.addingSaturated(StreamTimes.waitNanoseconds)
        if let deadline { next = min(next, deadline) }
        if let idle { next = min(next, lastUpdate.addingSaturated(idle)) }
        if let heartbeat { next = min(next, lastLine.addingSaturated(heartbeat)) }
        return next > now ? next - now : 0
    }
}

extension UInt64 {
    /// Returns the sum, or the largest number on overflow.
    fileprivate func addingSaturated(_ other: UInt64) -> UInt64 {
        let (sum, overflow) = addingReportingOverflow(other)
        return overflow ? .max : sum
    }
}
