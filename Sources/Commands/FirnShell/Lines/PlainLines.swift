import FirnFormats
import FirnPlatform
import FirnTools
import FirnValues

/// The lines typed at a terminal that can only show text (`TERM=dumb`).
///
/// The terminal itself edits the line; there is no completion, and no escape sequences are written.
final class PlainLines: LineInput {
    let isInteractive = true
    let notices: NotificationQueue
    let history: History?
    private let environment: CommandEnvironment
    /// The bytes after the last returned line.
    private var rest: [UInt8] = []

    init(
        _ environment: CommandEnvironment, history: History,
        notices: NotificationQueue = NotificationQueue()
    ) {
        self.environment = environment
        self.history = history
        self.notices = notices
    }

    func remember(_ statement: String) { history?.add(statement) }

    func next(prompt: String, before: String) throws(CommandFailure) -> LineEvent {
        if let signal = Signals.pending {
            if signal != Signals.interrupt { return .signal(signal) }
            // The signal was for the previous statement.
            Signals.forget()
        }
        // While a line is being typed, every Ctrl-C applies to the line.
        try? Signals.keep(repeatedly: true)
        defer { try? Signals.keep(repeatedly: false) }
        let prompt = PlainLines.withoutEscapes(prompt)
        for line in notices.take().lines { environment.reportToPeople(line + "\n") }
        environment.report(prompt)
        var lookAgain: Int32?
        while true {
            if let line = takeLine() { return .line(line) }
            let ready = DescriptorWait.readable(
                [StandardStream.input.rawValue, Signals.descriptor, notices.descriptor],
                milliseconds: lookAgain ?? -1)
            if let signal = Signals.pending {
                guard signal == Signals.interrupt else { return .signal(signal) }
                environment.report("\n")
                rest = []
                Signals.forget()
                return .cancelled
            }
            if ready[2] || lookAgain != nil { lookAgain = showNotices(prompt) }
            if ready[0], try !readMore() { return takeRest() }
        }
    }

    func nextWaiting(before: String) throws(CommandFailure) -> LineEvent? {
        // The terminal hands over whole lines, and has shown them already.
        guard rest.contains(UInt8(ascii: "\n")) || StandardStream.input.hasInput else { return nil }
        return try next(prompt: "", before: before)
    }

    /// Returns the remaining bytes at the end of the input.
    private func takeRest() -> LineEvent {
        environment.report("\n")
        guard !rest.isEmpty else { return .end }
        defer { rest = [] }
        return .line(String(decoding: rest, as: UTF8.self))
    }

    private func takeLine() -> String? {
        guard let end = rest.firstIndex(of: UInt8(ascii: "\n")) else { return nil }
        let line = String(decoding: rest[..<end], as: UTF8.self)
        rest.removeSubrange(...end)
        return line
    }

    /// - Returns: whether more bytes were read.
    private func readMore() throws(CommandFailure) -> Bool {
        var buffer = [UInt8](repeating: 0, count: 4096)
        let result = buffer.withUnsafeMutableBytes { bytes in
            Result { () throws(PlatformError) in try StandardStream.input.read(into: bytes) }
        }
        let count: Int
        do throws(PlatformError) { count = try result.get() } catch {
            // The caller's loop handles the signal.
            if error.code == .interrupted { return true }
            throw .diagnostic(Diagnostic(error, "cannot read standard input"))
        }
        rest += buffer[..<count]
        return count > 0
    }

    private func showNotices(_ prompt: String) -> Int32? {
        let (lines, again) = notices.take()
        // The typed text cannot be removed from the screen; the terminal still has it.
        if !lines.isEmpty {
            let text = "\n" + lines.map { $0 + "\n" }.joined() + prompt
            environment.report(environment.plain(text))
        }
        return again
    }

    /// Returns the prompt without the text between U+0001 and U+0002.
    static func withoutEscapes(_ prompt: String) -> String {
        var shown = String.UnicodeScalarView()
        var isEscape = false
        for scalar in prompt.unicodeScalars {
            switch scalar.value {
            case 1: isEscape = true
            case 2: isEscape = false
            default: if !isEscape { shown.append(scalar) }
            }
        }
        return String(shown)
    }
}
