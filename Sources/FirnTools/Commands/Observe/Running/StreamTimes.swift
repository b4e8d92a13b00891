import FirnPlatform

/// When a stream ends without anything happening, and when it says that it lives.
final class StreamTimes {
    /// How often signals and the reader are looked at while nothing happens.
    static let lookNanoseconds: UInt64 = 100_000_000
    /// How long a version is held at most that nothing came after.
    private static let waitNanoseconds: UInt64 = 1_000_000_000

    /// When the stream ends whatever happens, on the monotonic clock.
    let deadline: UInt64?
    private let idle: UInt64?
    private let heartbeat: UInt64?
    private let clock: any Clock
    private var lastUpdate: UInt64
    private var lastLine: UInt64

    init(_ order: ObserveOptions, _ clock: any Clock) {
        self.clock = clock
        let now = clock.monotonicNanoseconds()
        (lastUpdate, lastLine) = (now, now)
        deadline = order.timeout.map { now.addingSaturated($0.nanoseconds) }
        idle = order.idle?.nanoseconds
        heartbeat = if case .every(let span) = order.heartbeat { span.nanoseconds } else { nil }
    }

    func noteLine() { lastLine = clock.monotonicNanoseconds() }

    func noteUpdate() { lastUpdate = clock.monotonicNanoseconds() }

    /// Whether the time for the whole stream is over.
    var isOver: Bool { deadline.map { clock.monotonicNanoseconds() >= $0 } ?? false }

    /// Whether there was no update for too long.
    var isIdle: Bool {
        idle.map { clock.monotonicNanoseconds() &- lastUpdate >= $0 } ?? false
    }

    var wantsHeartbeat: Bool {
        heartbeat.map { clock.monotonicNanoseconds() &- lastLine >= $0 } ?? false
    }

    /// How long nothing is to be done without a commit.
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
    /// The sum, or the largest number.
    fileprivate func addingSaturated(_ other: UInt64) -> UInt64 {
        let (sum, overflow) = addingReportingOverflow(other)
        return overflow ? .max : sum
    }
}
