import FirnPlatform
import FirnValues

/// One line on standard error that says how far long work is; nothing when it is short.
final class Progress {
    /// Work below half a second is not worth a line.
    private static let delayNanoseconds: UInt64 = 500_000_000
    private static let stepNanoseconds: UInt64 = 100_000_000

    private let surroundings: Surroundings
    private let isShown: Bool
    private let start: UInt64
    private var last: UInt64
    private var hasLine = false

    init(_ when: When, quiet: Bool, _ surroundings: Surroundings) {
        self.surroundings = surroundings
        isShown =
            switch when {
            case .always: true
            case .never: false
            case .auto: surroundings.errorsIsTerminal && !quiet
            }
        start = surroundings.services.clock.monotonicNanoseconds()
        last = start
    }

    /// Nanoseconds since the work began.
    var elapsed: UInt64 { surroundings.services.clock.monotonicNanoseconds() &- start }

    /// - Parameter total: how much there is to do, if that is known.
    func update(_ label: String, done: UInt64, of total: UInt64?) {
        guard isShown else { return }
        let now = surroundings.services.clock.monotonicNanoseconds()
        guard now &- start >= Progress.delayNanoseconds,
            now &- last >= Progress.stepNanoseconds
        else { return }
        last = now
        var line = SafeText.escaping(label)
        if let total, total > 0 {
            line += "  \(min(100, Int(Double(done) / Double(total) * 100)))%"
        }
        surroundings.tell("\r\u{1B}[K\(line)  \(Amounts.bytes(done))")
        hasLine = true
    }

    /// Removes the line.
    func clear() {
        if hasLine { surroundings.tell("\r\u{1B}[K") }
        hasLine = false
    }
}
