import FirnTools

/// The words behind a dot command, asked for one by one.
struct DotArguments {
    let command: DotCommandName
    let words: DotCommandWords

    var count: Int { words.words.count }

    /// Everything behind the name.
    var text: String { words.rest }

    /// The error that the words are not what the command takes.
    func wrong(_ message: String? = nil) -> CommandFailure {
        let usage = command.usage.isEmpty ? "" : " " + command.usage
        return .diagnostic(
            .usage(
                message
                    ?? (count == 0
                        ? "missing argument of .\(command)" : "wrong arguments of .\(command)"),
                remedy: "usage: .\(command)\(usage)"))
    }

    /// The word there, if there is one.
    func word(_ index: Int) -> String? {
        index < count ? words.words[index] : nil
    }

    /// The only word.
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

    /// `on` or `off`; the other one of what it is if there is no word.
    func switched(_ current: Bool) throws(CommandFailure) -> Bool {
        switch try onlyIfAny() {
        case nil: !current
        case "on": true
        case "off": false
        default: throw wrong("expected on or off")
        }
    }

    /// The text of a query, which must be there.
    func query(after index: Int = 0) throws(CommandFailure) -> String {
        let text = words.rest(after: index)
        guard !text.isEmpty else { throw wrong() }
        return text
    }
}
