import CReadline
import FirnFormats
import FirnPlatform
import FirnQuery
import FirnTools
import FirnValues

/// The lines typed at a terminal, with GNU readline.
///
/// readline keeps its state in global variables, so there is only one instance, which one thread
/// uses.
final class ReadlineLines: LineInput {
    let isInteractive = true
    let notices: NotificationQueue
    let history: History?
    private let bridge: ReadlineBridge
    /// `nil` if no program may be run.
    private let editor: TextEditor?
    /// The beginning of a line, typed before the previous statement ran.
    private var carried = ""
    /// The maximum time between two parts of a pasted text.
    private static let pastedMilliseconds: Int32 = 50
    /// Writes to the terminal.
    private let report: (String) -> Void

    /// Initializes readline, which writes to standard error and does not query the terminal.
    ///
    /// - Parameters:
    ///   - runsEditor: whether the line can be edited in the user's editor.
    ///   - completions: finds the candidates at a cursor.
    ///   - help: returns the description of a word; `nil` for none.
    init(
        _ environment: CommandEnvironment, history: History,
        notices: NotificationQueue = NotificationQueue(),
        runsEditor: Bool = true, completions: @escaping Completions,
        help: @escaping (_ word: String) -> String? = { _ in nil }
    ) {
        self.history = history
        self.notices = notices
        report = { environment.report(environment.plain($0)) }
        editor = runsEditor ? TextEditor(environment) : nil
        bridge = ReadlineBridge(completions, help) { environment.report(environment.plain($0)) }
        bridge.start()
        firn_readline_limit(Int32(History.entriesMax))
        for entry in history.entries { firn_readline_remember(entry.statement) }
        history.didRemove = { firn_readline_forget(Int32($0)) }
    }

    func remember(_ statement: String) {
        guard let history, history.add(statement) else { return }
        firn_readline_remember(statement)
    }

    func next(prompt: String, before: String) throws(CommandFailure) -> LineEvent {
        // Without a time limit there is always an event.
        try event(prompt, before, milliseconds: nil) ?? .end
    }

    func nextWaiting(before: String) throws(CommandFailure) -> LineEvent? {
        guard StandardStream.input.hasInput else { return nil }
        return try event(
            Prompt.following, before, milliseconds: ReadlineLines.pastedMilliseconds)
    }

    /// - Parameter milliseconds: how long to wait for each part of the line; `nil` for any time.
    /// - Returns: `nil` at the time limit; the next call begins with what was typed.
    private func event(
        _ prompt: String, _ before: String, milliseconds: Int32?
    ) throws(CommandFailure) -> LineEvent? {
        bridge.before = before
        if let signal = Signals.pending {
            if signal != Signals.interrupt { return .signal(signal) }
            // The signal was for the previous statement.
            Signals.forget()
        }
        for line in notices.take().lines { report(line + "\n") }
        try listen(repeatedly: true)
        let screenSignals = firn_readline_signals_install() == 0
        firn_readline_begin(prompt)
        defer {
            firn_readline_finish()
            if screenSignals { firn_readline_signals_remove() }
        }
        if !carried.isEmpty {
            firn_readline_replace(carried)
            firn_readline_hide()
            firn_readline_show()
            carried = ""
        }
        let event = read(milliseconds)
        // A statement can be interrupted, and killed if it does not respond.
        switch event {
        case .line, nil: try listen(repeatedly: false)
        case .cancelled, .end, .signal: break
        }
        return event
    }

    /// Records signals, because at the prompt a second one must not kill the process and leave the
    /// terminal in readline's mode.
    private func listen(repeatedly: Bool) throws(CommandFailure) {
        do { try Signals.keep(repeatedly: repeatedly) } catch {
            throw .diagnostic(Diagnostic(error, "cannot handle signals"))
        }
    }

    private func read(_ milliseconds: Int32?) -> LineEvent? {
        var lookAgain: Int32?
        while true {
            let ready = DescriptorWait.readable(
                [
                    StandardStream.input.rawValue, Signals.descriptor,
                    firn_readline_signals_descriptor(), notices.descriptor,
                ], milliseconds: milliseconds ?? lookAgain ?? -1)
            if milliseconds != nil, !ready[0], Signals.pending == nil {
                carried = String(cString: firn_readline_buffer())
                firn_readline_hide()
                return nil
            }
            if let signal = Signals.pending { return ended(by: signal) }
            if ready[2] { firn_readline_signals_obey() }
            if ready[3] || lookAgain != nil { lookAgain = showNotices() }
            if ready[0], let event = step() { return event }
        }
    }

    private func ended(by signal: Int32) -> LineEvent {
        guard signal == Signals.interrupt else {
            firn_readline_hide()
            return .signal(signal)
        }
        firn_readline_cancel()
        Signals.forget()
        return .cancelled
    }

    /// Returns the typed text; `nil` while the line is incomplete.
    private func step() -> LineEvent? {
        switch firn_readline_step() {
        case FIRN_READLINE_LINE: return .line(takeLine())
        case FIRN_READLINE_END:
            report("\n")
            return .end
        case FIRN_READLINE_EDITOR: edit()
        case FIRN_READLINE_HELP: showHelp()
        default: break
        }
        return nil
    }

    private func takeLine() -> String {
        guard let line = firn_readline_take() else { return "" }
        defer { firn_readline_free(line) }
        // Bytes that are not UTF-8 are replaced.
        return String(cString: line)
    }

    /// - Returns: the maximum time in milliseconds until the next call.
    private func showNotices() -> Int32? {
        let (lines, again) = notices.take()
        if !lines.isEmpty {
            firn_readline_hide()
            report(lines.map { $0 + "\n" }.joined())
            firn_readline_show()
        }
        return again
    }

    private func showHelp() {
        guard let text = bridge.helpAtCursor() else { return }
        firn_readline_hide()
        report(text.hasSuffix("\n") ? text : text + "\n")
        firn_readline_show()
    }

    /// Opens the line being typed in the user's editor; the edited line is shown before it runs.
    private func edit() {
        guard let editor else { return refuseEditor() }
        firn_readline_suspend()
        firn_readline_signals_remove()
        let text = String(cString: firn_readline_buffer())
        let edited: String?
        do throws(CommandFailure) { edited = try editor.edit(text) } catch {
            if case .diagnostic(let diagnostic) = error { report(diagnostic.rendered(.human)) }
            edited = nil
        }
        // Ctrl-C in the editor was for the editor.
        if Signals.pending == Signals.interrupt { Signals.forget() }
        try? Signals.keep(repeatedly: true)
        _ = firn_readline_signals_install()
        if let edited { firn_readline_replace(edited) }
        firn_readline_resume()
    }

    /// Rejects the editor; the line does not change.
    private func refuseEditor() {
        firn_readline_hide()
        report(Diagnostic(.safeRefused, "--safe does not allow shell commands").rendered(.human))
        firn_readline_show()
    }
}
