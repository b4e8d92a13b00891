import CReadline
import FirnPlatform
import FirnQuery
import FirnTools

/// The lines that a person types at a terminal, with GNU readline.
///
/// Readline keeps its state in globals of the process: there is one of these, used by one thread.
final class ReadlineLines: LineInput {
    let isInteractive = true
    let notices: NotificationQueue
    let history: History?
    private let bridge: ReadlineBridge
    /// `nil` where no program may be run.
    private let editor: TextEditor?
    /// Writes to the terminal.
    private let tell: (String) -> Void

    /// Makes readline ready; it writes to standard error and asks the terminal nothing.
    ///
    /// - Parameters:
    ///   - runsEditor: whether the line may be changed in the editor of the user.
    ///   - completions: what can stand at a cursor.
    ///   - help: what there is to say about a word; `nil` for nothing.
    init(
        _ environment: CommandEnvironment, history: History,
        notices: NotificationQueue = NotificationQueue(),
        runsEditor: Bool = true, completions: @escaping Completions,
        help: @escaping (_ word: String) -> String? = { _ in nil }
    ) {
        self.history = history
        self.notices = notices
        tell = { environment.tell($0) }
        editor = runsEditor ? TextEditor(environment) : nil
        bridge = ReadlineBridge(completions, help) { environment.tell($0) }
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
        bridge.before = before
        if let signal = Signals.pending {
            if signal != Signals.interrupt { return .signal(signal) }
            // It meant the statement that is over.
            Signals.forget()
        }
        for line in notices.take().lines { tell(line + "\n") }
        try listen(repeatedly: true)
        let screenSignals = firn_readline_signals_install() == 0
        firn_readline_begin(prompt)
        defer {
            firn_readline_finish()
            if screenSignals { firn_readline_signals_remove() }
        }
        let event = read()
        // What a line asks for can be interrupted, and killed if it does not listen.
        if case .line = event { try listen(repeatedly: false) }
        return event
    }

    /// At the prompt a second signal must not kill: the terminal would stay as readline has it.
    private func listen(repeatedly: Bool) throws(CommandFailure) {
        do { try Signals.keep(repeatedly: repeatedly) } catch {
            throw .diagnostic(Diagnostic(error, "cannot handle signals"))
        }
    }

    private func read() -> LineEvent {
        var lookAgain: Int32?
        while true {
            let ready = DescriptorWait.readable(
                [
                    StandardStream.input.rawValue, Signals.descriptor,
                    firn_readline_signals_descriptor(), notices.descriptor,
                ], milliseconds: lookAgain ?? -1)
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

    /// Takes what was typed; `nil` while the line is not complete.
    private func step() -> LineEvent? {
        switch firn_readline_step() {
        case FIRN_READLINE_LINE: return .line(takeLine())
        case FIRN_READLINE_END:
            tell("\n")
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

    /// - Returns: in how many milliseconds to look again at the latest.
    private func showNotices() -> Int32? {
        let (lines, again) = notices.take()
        if !lines.isEmpty {
            firn_readline_hide()
            tell(lines.map { $0 + "\n" }.joined())
            firn_readline_show()
        }
        return again
    }

    private func showHelp() {
        guard let text = bridge.helpAtCursor() else { return }
        firn_readline_hide()
        tell(text.hasSuffix("\n") ? text : text + "\n")
        firn_readline_show()
    }

    /// Changes the half-typed line in the editor of the user; it stays to be looked at again.
    private func edit() {
        guard let editor else { return refuseEditor() }
        firn_readline_suspend()
        firn_readline_signals_remove()
        let text = String(cString: firn_readline_buffer())
        let edited: String?
        do throws(CommandFailure) { edited = try editor.edit(text) } catch {
            if case .diagnostic(let diagnostic) = error { tell(diagnostic.rendered(.human)) }
            edited = nil
        }
        // Ctrl-C in the editor was for the editor.
        if Signals.pending == Signals.interrupt { Signals.forget() }
        try? Signals.keep(repeatedly: true)
        _ = firn_readline_signals_install()
        if let edited { firn_readline_replace(edited) }
        firn_readline_resume()
    }

    /// The line stays as it is.
    private func refuseEditor() {
        firn_readline_hide()
        tell(Diagnostic(.safeRefused, "--safe does not allow shell commands").rendered(.human))
        firn_readline_show()
    }
}
