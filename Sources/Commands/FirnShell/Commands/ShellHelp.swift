import FirnEngine
import FirnFormats
import FirnTools
import FirnValues

/// The texts of `.help`.
enum ShellHelp {
    private static let groups: [(title: String, commands: [DotCommandName])] = [
        ("session", [.help, .quit, .open, .close, .show, .version, .history, .edit]),
        ("schema", [.classes, .schema, .use, .describe]),
        (
            "output",
            [.mode, .null, .width, .color, .rows, .pager, .timezone, .timer, .once, .output]
        ),
        ("results", [.back, .chain, .code, .save, .results, .more, .chart, .last]),
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
    static let topics = ["query", "keys", "prompt"] + FirnCommand.topicNames

    /// Returns a topic that is not a command.
    static func topic(_ name: String) -> String? {
        switch name {
        case "query": query
        case "keys": keys
        case "prompt": prompt
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

        A statement ends at the end of its line if it is complete, and at each ;. An
        empty line discards it. -- begins a comment. In a pasted text, a file or a pipe,
        a line that begins with | or an operator such as AND continues the statement
        before it, and an empty line ends that statement.
        firn-query-language(7) describes the language.

        """

    private static let prompt = """
        The prompt shows the database, the class, and in parentheses what is unusual:

        app>                            the database app.firn, at its newest version
        app Person>                     the class set by .use
        app Person (204 rows, step 2)>  a result with 204 rows, refined once with |
        app Person (20+ rows, step 2)>  a result that was not shown to its end
        app (transaction)>              .begin was given; .commit or .cancel ends it
        app (transaction, 3 changes)>   the transaction has changed three objects
        app (failed transaction)>       only .cancel works
        app (at version 40)>            an older version; see .at
        app (at old)>                   the version of the freeze "old"
        app (read-only)>                the database cannot be changed
        app (2 observers)>              .observe runs twice; see .observers

        .back returns from step 2 to step 1, and .chain lists the steps. A narrow
        window omits the class and the number of rows.

        If a statement is not complete, the next line begins with what is missing:
        '> a quote, (> a closing parenthesis, |> a stage, ,> an item, &> a value.

        """

    private static let keys = """
        Tab              complete
        Alt-?            describe the word
        Alt-Enter        a new line
        Ctrl-R           search the history
        Ctrl-X Ctrl-E    edit the line in $EDITOR
        Ctrl-C           clear the line, cancel a query
        Ctrl-D           leave

        """
}

extension DotCommandName {
    /// The command with its arguments, such as `.mode [FORMAT]`.
    var synopsis: String { ".\(self)" + (usage.isEmpty ? "" : " \(usage)") }

    /// The output of `--help`.
    var help: String { "\(synopsis)\n  \(summary)\n" }
}
