import FirnFormats
import FirnTools
import FirnValues

/// The arguments of a dot command.
struct DotArguments {
    let command: DotCommandName
    let words: DotCommandWords

    var count: Int { words.words.count }

    /// The text after the name.
    var text: String { words.rest }

    /// Returns the error for invalid arguments.
    func wrong(_ message: String? = nil) -> CommandFailure {
        let usage = command.usage.isEmpty ? "" : " " + command.usage
        return .diagnostic(
            .usage(
                message
                    ?? (count == 0
                        ? "missing argument of .\(command)" : "wrong arguments of .\(command)"),
                remedy: "usage: .\(command)\(usage)"))
    }

    /// Returns the word at an index, if there is one.
    func word(_ index: Int) -> String? {
        index < count ? words.words[index] : nil
    }

    /// Returns the only word.
    func only() throws(CommandFailure) -> String {
        guard count == 1 else { throw wrong() }
        return words.words[0]
    }

    func onlyIfAny() throws(CommandFailure) -> String? {
        guard count <= 1 else { throw wrong() }
        return word(0)
    }

    func none() throws(CommandFailure) {
        guard count == 0 else { throw wrong(".\(command) takes no arguments") }
    }

    /// Parses `on` or `off`; without a word, returns the opposite of the current value.
    func switched(_ current: Bool) throws(CommandFailure) -> Bool {
        switch try onlyIfAny() {
        case nil: !current
        case "on": true
        case "off": false
        default: throw wrong("expected on or off")
        }
    }

    /// Returns the text of a query, which must not be empty.
    func query(after index: Int = 0) throws(CommandFailure) -> String {
        let text = words.rest(after: index)
        guard !text.isEmpty else { throw wrong() }
        return text
    }
}
