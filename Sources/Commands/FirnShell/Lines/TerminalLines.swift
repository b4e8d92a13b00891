import FirnPlatform
import FirnTools
import FirnValues

/// Selects the line input for a person.
enum TerminalLines {
    /// Returns readline input if the terminal can move its cursor, otherwise lines without editing;
    /// `nil` if standard input is not a terminal.
    ///
    /// - Parameters:
    ///   - keepsHistory: whether there is a history file.
    ///   - runsEditor: whether a key opens the line in the user's editor.
    static func make(
        _ environment: CommandEnvironment, keepsHistory: Bool = true, runsEditor: Bool = true,
        completions: @escaping Completions,
        help: @escaping (_ word: String) -> String? = { _ in nil }
    ) -> (any LineInput)? {
        guard environment.inputIsTerminal, environment.errorsIsTerminal else { return nil }
        let clock = environment.services.clock
        let path = keepsHistory ? History.path(environment.variable) : nil
        let history = History(path: path, clock: clock)
        let notices = NotificationQueue(clock: clock)
        guard canEdit(environment) else {
            return PlainLines(environment, history: history, notices: notices)
        }
        return ReadlineLines(
            environment, history: history, notices: notices, runsEditor: runsEditor,
            completions: completions, help: help)
    }

    /// Returns whether the terminal supports escape sequences.
    private static func canEdit(_ environment: CommandEnvironment) -> Bool {
        // Emacs edits the lines of the programs that it runs.
        guard let kind = environment.variable("TERM") else { return false }
        return kind != "dumb" && environment.variable("INSIDE_EMACS") == nil
    }
}
