import FirnPlatform
import FirnTools

/// Chooses how lines are read from a person.
enum TerminalLines {
    /// Readline where the terminal can move its cursor, else lines without any editing of ours;
    /// `nil` if no person sits there.
    ///
    /// - Parameters:
    ///   - keepsHistory: whether there is a file of earlier statements.
    ///   - runsEditor: whether a key brings the line into the editor of the user.
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

    /// Whether the terminal understands escapes.
    private static func canEdit(_ environment: CommandEnvironment) -> Bool {
        // Emacs has its own editing of lines around the programs that it runs.
        guard let kind = environment.variable("TERM") else { return false }
        return kind != "dumb" && environment.variable("INSIDE_EMACS") == nil
    }
}
