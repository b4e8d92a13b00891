import FirnFormats
import FirnPlatform
import FirnValues

/// A progress line on standard error for long work; nothing for short work.
///
///     reading people.csv  ██████░░░░░░░░░░░░░░  31%  8.4 MiB of 27.1 MiB  12.0 MiB/s  2 s left
final class Progress {
    /// The duration below which work shows no progress, unless it always does.
    private static let delayNanoseconds: UInt64 = 500_000_000
    private static let stepNanoseconds: UInt64 = 100_000_000
    /// The interval of JSON lines.
    private static let recordNanoseconds: UInt64 = 500_000_000

    private let environment: CommandEnvironment
    private let style: ProgressStyle
    private let start: UInt64
    /// The earliest time of the next update.
    private var next: UInt64
    private var hasLine = false
    private var hasEnded = false
    /// A part of the work with its own label.
    private var part = Part(label: "", start: 0)

    private struct Part {
        let label: String
        let start: UInt64
        var done: UInt64 = 0
    }

    /// The unit of the work.
    enum Unit: String {
        case bytes
        case objects
        case rows
        case versions

        func text(_ amount: UInt64) -> String {
            self == .bytes ? Formatting.bytes(amount) : Formatting.count(amount)
        }

        /// Returns an amount with its total.
        func text(_ done: UInt64, of total: UInt64?) -> String {
            let amount = text(done) + (total.map { " of \(text($0))" } ?? "")
            return self == .bytes ? amount : "\(amount) \(rawValue)"
        }
    }

    /// The progress of a part of the work.
    private struct State {
        let unit: Unit
        let done: UInt64
        /// The total amount, if known.
        let total: UInt64?
        /// The time that this part has taken.
        let nanoseconds: UInt64

        var rate: UInt64? {
            guard nanoseconds > 0, done > 0 else { return nil }
            return UInt64(exactly: (Double(done) / Double(nanoseconds) * 1e9).rounded())
        }

        var secondsLeft: UInt64? {
            guard let total, let rate, rate > 0 else { return nil }
            return (total > done ? total - done : 0) / rate
        }

        var part: Double? {
            guard let total, total > 0 else { return nil }
            return min(1, Double(done) / Double(total))
        }
    }

    init(_ style: ProgressStyle, quiet: Bool, _ environment: CommandEnvironment) {
        self.environment = environment
        self.style =
            style == .auto ? environment.errorsIsTerminal && !quiet ? .always : .never : style
        start = environment.services.clock.monotonicNanoseconds()
        next = style == .always ? start : start &+ Progress.delayNanoseconds
    }

    /// The nanoseconds since the start of the work.
    var elapsed: UInt64 { environment.services.clock.monotonicNanoseconds() &- start }

    /// Whether an update can have an effect.
    var isShown: Bool { style != .never && !hasEnded }

    /// - Parameters:
    ///   - done: the amount done of the work with this label.
    ///   - total: the total amount, if known.
    func update(_ label: String, done: UInt64, of total: UInt64?, _ unit: Unit = .bytes) {
        guard isShown else { return }
        let now = environment.services.clock.monotonicNanoseconds()
        // A count in the label changes with each call.
        let name = label.prefix { !$0.isNumber }
        if name != part.label || done < part.done { part = Part(label: String(name), start: now) }
        part.done = done
        let step = style == .json ? Progress.recordNanoseconds : Progress.stepNanoseconds
        guard now >= next else { return }
        next = now &+ step
        let state = State(
            unit: unit, done: done, total: total, nanoseconds: now &- part.start)
        if style == .json {
            environment.reportProgress(TerminalSafeSink.escaping(json(label, state).text) + "\n")
        } else {
            environment.reportProgress("\r\u{1B}[K\(line(SafeText.escaping(label), state))")
            hasLine = true
        }
    }

    /// Removes the line.
    func clear() {
        if hasLine { environment.reportProgress("\r\u{1B}[K") }
        hasLine = false
    }

    /// Removes the line for good, because other output follows on the same terminal.
    func end() {
        clear()
        hasEnded = true
    }

    private func line(_ label: String, _ state: State) -> String {
        var details: [String] = []
        if state.done > 0 {
            details.append(state.unit.text(state.done, of: state.total))
            if let rate = state.rate { details.append("\(state.unit.text(rate))/s") }
            if let left = state.secondsLeft { details.append("\(Formatting.age(left)) left") }
        }
        let width =
            environment.variable("COLUMNS").flatMap { Int($0) } ?? environment.windowColumns
        return ProgressText.line(
            label, part: state.part, details: details, columns: width ?? 80,
            drawsUnicode: TerminalStyle.usesUnicode(environment))
    }

    private func json(_ label: String, _ state: State) -> JSONObject {
        var json = JSONObject()
        json.add("v", 1)
        json.add("type", "progress")
        json.add("what", label)
        json.add(state.unit.rawValue, Int64(clamping: state.done))
        if let total = state.total { json.add("of", Int64(clamping: total)) }
        if let rate = state.rate {
            json.add("\(state.unit.rawValue)PerSecond", Int64(clamping: rate))
        }
        if let left = state.secondsLeft { json.add("secondsLeft", Int64(clamping: left)) }
        json.add("seconds", nanoseconds: elapsed)
        return json
    }
}
