import FirnFormats
import FirnTools
import FirnValues

/// An event of the input of the shell.
enum LineEvent: Hashable, Sendable {
    /// One line, or several lines from a paste or the history, without the last line end.
    case line(String)
    /// Ctrl-C at the prompt.
    case cancelled
    /// Ctrl-D on an empty line, or the end of the input.
    case end
    /// A signal that terminates the process, which must clean up and then die of that signal.
    case signal(Int32)
}

/// The source of the shell's statements.
protocol LineInput: AnyObject {
    /// Whether a person types.
    var isInteractive: Bool { get }

    /// Reads the next line.
    ///
    /// - Parameters:
    ///   - prompt: the prompt; escape sequences are between U+0001 and U+0002.
    ///   - before: the lines of the unfinished statement, for completion.
    func next(prompt: String, before: String) throws(CommandFailure) -> LineEvent

    /// Reads a line that is already waiting in the input, such as part of a pasted text.
    ///
    /// - Returns: `nil` if no whole line is waiting.
    func nextWaiting(before: String) throws(CommandFailure) -> LineEvent?

    /// Stores a complete statement in the history, unless it begins with a space.
    func remember(_ statement: String)

    /// The statements of this session and of earlier ones; `nil` if there is no history.
    var history: History? { get }

    /// Lines from other threads, to be shown above the line being typed.
    var notices: NotificationQueue { get }
}

extension LineInput {
    func nextWaiting(before: String) throws(CommandFailure) -> LineEvent? { nil }

    func remember(_ statement: String) {}

    var history: History? { nil }
}
