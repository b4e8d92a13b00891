import FirnTools

/// What a person or a file gives to the shell.
enum LineEvent: Hashable, Sendable {
    /// One line, or several of a paste or of the history, without the last end of line.
    case line(String)
    /// Ctrl-C at the prompt.
    case cancelled
    /// Ctrl-D on an empty line, or the end of the input.
    case end
    /// A signal that asks the process to end: it is to die of it once everything is in order.
    case signal(Int32)
}

/// Where the shell's statements come from.
protocol LineInput: AnyObject {
    /// Whether a person types.
    var isInteractive: Bool { get }

    /// Reads the next line.
    ///
    /// - Parameters:
    ///   - prompt: what a person is shown; escapes stand between U+0001 and U+0002.
    ///   - before: the lines of the unfinished statement, for completion.
    func next(prompt: String, before: String) throws(CommandFailure) -> LineEvent

    /// Keeps a whole statement in the history; one that begins with a blank is left out.
    func remember(_ statement: String)

    /// The statements of this session and of earlier ones; `nil` where no history is kept.
    var history: History? { get }

    /// Lines that other threads show above the half-typed one.
    var notices: NotificationQueue { get }
}

extension LineInput {
    func remember(_ statement: String) {}

    var history: History? { nil }
}
