import FirnPlatform

/// Lines that any thread may show above the one that is being typed.
///
/// At most ``linesPerSecondMax`` are shown in a second; how many more there were is said at its
/// end.
final class NotificationQueue: Sendable {
    static let linesPerSecondMax = 5
    /// While nobody looks, no more lines than this are kept.
    private static let keptMax = 100
    private static let second: UInt64 = 1_000_000_000

    private struct State {
        var ready: [String] = []
        var leftOut: UInt64 = 0
        /// When the second began that the next lines are counted in, and how many it had.
        var began: UInt64?
        var shown = 0
    }

    private let state = Guarded(State())
    private let clock: any Clock
    /// `nil` if the process may have no more descriptors: then notices wait for the next prompt.
    private let pipe: WakePipe?

    init(clock: any Clock = SystemClock()) {
        self.clock = clock
        pipe = try? WakePipe()
    }

    /// Readable when there may be something to show; -1 if nothing ever says so.
    var descriptor: Int32 { pipe?.descriptor ?? -1 }

    /// Shows a line.
    func post(_ line: String) {
        let now = clock.monotonicNanoseconds()
        state.withLock { state in
            NotificationQueue.beginSecond(&state, now)
            if state.shown < NotificationQueue.linesPerSecondMax,
                state.ready.count < NotificationQueue.keptMax
            {
                state.ready.append(line)
                state.shown += 1
            } else {
                state.leftOut += 1
            }
        }
        pipe?.wake()
    }

    /// The lines to show now, which are not given again.
    ///
    /// - Returns: the lines, and in how many milliseconds to look again at the latest; `nil` if
    ///   only the descriptor will say.
    func take() -> (lines: [String], again: Int32?) {
        pipe?.reset()
        let now = clock.monotonicNanoseconds()
        return state.withLock { state in
            NotificationQueue.beginSecond(&state, now)
            let lines = state.ready
            state.ready = []
            guard state.leftOut > 0, let began = state.began else { return (lines, nil) }
            let left = NotificationQueue.second - min(NotificationQueue.second, now - began)
            return (lines, Int32(clamping: left / 1_000_000 + 1))
        }
    }

    /// Once a second is over, says what it left out and begins another.
    private static func beginSecond(_ state: inout State, _ now: UInt64) {
        if let began = state.began, now - began < second { return }
        if state.leftOut > 0, state.ready.count <= keptMax {
            state.ready.append("\u{2026} \(state.leftOut) more")
            state.leftOut = 0
        }
        state.began = now
        state.shown = 0
    }
}
