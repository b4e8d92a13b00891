import FirnEngine
import FirnTools
import FirnValues

/// The texts of `.help`.
enum ShellHelp {
    private static let groups: [(title: String, commands: [DotCommandName])] = [
        ("session", [.help, .quit, .open, .close, .show, .version, .history, .edit]),
        ("schema", [.classes, .schema, .use, .describe]),
        ("output", [.mode, .null, .width, .color, .rows, .pager, .timer, .once, .output]),
        ("results", [.back, .chain, .code, .save, .results, .more, .last]),
        ("data", [.begin, .commit, .cancel, .diff, .undo, .insert, .read, .write, .export]),
        ("versions", [.at, .freeze, .freezes, .log, .observe, .observers, .stop]),
        ("engine", [.stats, .check, .sessions, .explain, .profile]),
        ("variables", [.set, .unset, .vars, .capture]),
        ("system", [.shell, .cd]),
    ]

    /// All commands with their summaries.
    static var overview: String {
        var text = ""
        for group in groups {
            let rows = group.commands.map { [$0.synopsis, $0.summary] }
            text += "\(group.title)\n" + TextColumns.aligned(rows, right: [])
        }
        return text + """

            a setting without an argument shows its value
            see also: .COMMAND --help, and .help with
            \(topics.joined(separator: ", "))

            """
    }

    /// The topics other than commands.
    static let topics = ["query", "keys"] + FirnCommand.topicNames

    /// Returns a topic that is not a command.
    static func topic(_ name: String) -> String? {
        switch name {
        case "query": query
        case "keys": keys
        default: FirnCommand.topicText(name)
        }
    }

    private static let query = """
        Person age > 30 SORT(name) LIMIT(10)      a class, a condition, an order
        Person | age > 30 | count                 stages, from left to right
        | city == "Oslo"                          refines the last result; .back undoes that
        _ | count      :name | count              the last result, a saved one
        Person age > $min                         a variable, set by .set min 30
        Person city == "Oslo" | set age = 40      changes objects; so does | delete
        Person | to csv                           shows this result in another format
        Person | save old                         saves it under a name, for use as :old
        Person | ! wc -l                          pipes it to a shell command
        Person | observe                          shows changes from now on

        A statement ends at the end of its line if it is complete, and at each ;. An empty line
        discards it. -- begins a comment. firn-query-language(7) describes the language.

        """

    private static let keys = """
        Tab              complete                 Ctrl-R     search the history
        Alt-Enter        a new line               Ctrl-C     clear the line, cancel a query
        Ctrl-X Ctrl-E    edit in $EDITOR          Ctrl-D     leave
        Alt-?            describe the word

        """
}

extension DotCommandName {
    /// The command with its arguments, such as `.mode [FORMAT]`.
    var synopsis: String { ".\(self)" + (usage.isEmpty ? "" : " \(usage)") }

    /// The output of `--help`.
    var help: String { "\(synopsis)\n  \(summary)\n" }
}
