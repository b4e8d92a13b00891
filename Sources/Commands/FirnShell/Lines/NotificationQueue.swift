import FirnPlatform
import FirnValues

/// Lines that any thread can show above the line being typed.
///
/// At most ``linesPerSecondMax`` lines are shown per second, followed by the number of omitted
/// lines.
final class NotificationQueue: Sendable {
    static let linesPerSecondMax = 5
    /// The maximum number of kept lines while none are shown.
    private static let keptMax = 100
    private static let second: UInt64 = 1_000_000_000

    private struct State {
        var ready: [String] = []
        var leftOut: UInt64 = 0
        /// The start of the current second, and the number of its lines.
        var began: UInt64?
        var shown = 0
    }

    private let state = Guarded(State())
    private let clock: any Clock
    /// `nil` if the process has no free descriptors; notifications then wait for the next prompt.
    private let pipe: WakePipe?

    init(clock: any Clock = SystemClock()) {
        self.clock = clock
        pipe = try? WakePipe()
    }

    /// A descriptor that becomes readable when there may be lines to show; -1 if there is none.
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

    /// Returns the lines to show now, each once.
    ///
    /// - Returns: the lines, and the maximum time in milliseconds until the next call; `nil` if
    ///   only the descriptor signals it.
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

    /// Reports the omitted lines and starts another second, if the current one is over.
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
