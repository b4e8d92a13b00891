import FirnValues

/// What `firn help` knows besides the commands.
enum HelpTopic: String, CaseIterable {
    case exitCodes = "exit-codes"
    case formats
    case queryLanguage = "query-language"
    case events
    case examples
    case environment

    /// The text, ending with a line feed.
    var text: String {
        switch self {
        case .exitCodes: HelpTopic.exitCodesText
        case .formats: HelpTopic.formatsText
        case .queryLanguage: HelpTopic.queryLanguageText
        case .events: HelpTopic.eventsText
        case .examples: HelpTopic.examplesText
        case .environment: HelpTopic.environmentText
        }
    }

    private static var exitCodesText: String {
        let rows = ExitStatus.allCases.map { status in
            [String(status.rawValue), status.meaning + (status.isRetryable ? " (try again)" : "")]
        }
        return """
            How a command ends.

            \(TextColumns.aligned(rows, right: [0]))
            After a signal the process dies of that signal: a shell sees 130 for an
            interrupt, 141 for a pipe that nobody reads any more, 143 for a termination.
            New codes may appear: treat an unknown one as a failure. With --errors json
            each error on standard error is one JSON object whose "code" never changes.

            """
    }

    private static var formatsText: String {
        let rows = RowFormat.allCases.map { ["-f \($0.rawValue)", $0.meaning] }
        return """
            How the rows of query and export are written.

            \(TextColumns.aligned(rows, right: []))
            Without -f the name of the output decides, then FIRN_FORMAT. export writes no
            auto, table, box and line. In JSON, Data is base64, dates are ISO 8601 in UTC,
            Decimal128, UUID and ObjectId are strings, links are the keys of their objects,
            and NaN and the infinities are strings. On a terminal control characters inside
            of values are escaped; only -r prints them.

            """
    }

    private static var environmentText: String {
        """
        Variables that commands look at; a flag wins over its variable.

        \(TextColumns.aligned(variables.map { [$0.name, $0.meaning] }, right: []))
        What neither says the settings of the user may: lines such as "format = box" in
        $XDG_CONFIG_HOME/firn/config or ~/.config/firn/config, with the names
        \(ConfigurationSetting.allCases.map(\.rawValue).joined(separator: ", ")). --no-config leaves them out.

        """
    }

    /// The variables that commands look at, in the order of the help.
    static let variables: [(name: String, meaning: String)] = [
        ("FIRN_FILE", "the database of a command line that names none"),
        ("FIRN_FORMAT", "the format of query: see firn help formats"),
        ("FIRN_WAIT", "how long writers wait for each other, as --wait (5s)"),
        ("FIRN_ERRORS", "how errors are written, as --errors: human or json"),
        ("FIRN_PAGER", "shows what is longer than the screen; cat for none"),
        ("PAGER", "the same if FIRN_PAGER is not set"),
        ("COLUMNS", "the width of tables on a terminal, not that of its window"),
        ("NO_COLOR", "if set, no colours"),
        ("CLICOLOR_FORCE", "if set to anything but 0, colours also where no terminal is"),
        ("TERM", "dumb means a terminal without colours"),
        ("LC_ALL", "if it names no UTF-8, tables are drawn in ASCII"),
        ("LC_CTYPE", "the same if LC_ALL is not set"),
        ("LANG", "the same if neither is set"),
        ("XDG_CONFIG_HOME", "the folder of firn/config, the settings of the user"),
        ("HOME", "its .config is that folder if XDG_CONFIG_HOME is not set"),
    ]
}

extension ExitStatus {
    /// For the help.
    var meaning: String {
        switch self {
        case .ok: "done; no rows is fine"
        case .no: "a negative answer: query -e, query -1, diff, check, freeze --exists"
        case .usage: "the command line is wrong"
        case .data: "the query or the input is wrong, or records were left out"
        case .noInput: "a database, input file, class or freeze does not exist"
        case .unavailable: "a version is no longer kept, or does not exist yet"
        case .software: "a mistake in firn itself"
        case .cannotCreate: "the output exists already, or cannot be created"
        case .inputOutput: "reading or writing failed, the disk is full, the file is damaged"
        case .temporaryFailure: "locked by another writer, or --if-version does not match"
        case .unreported: "committed, and what came after it failed: do not repeat it"
        case .noPermission: "permission denied"
        case .configuration: "the settings of the user cannot be read, or are wrong"
        case .timeout: "the time of --timeout or --idle is over"
        }
    }
}

extension RowFormat {
    /// For the help.
    var meaning: String {
        switch self {
        case .auto: "table on a terminal, otherwise ndjson"
        case .table: "columns that fit the terminal, or line if they cannot"
        case .box: "table with lines on all sides"
        case .line: "one line per property, an empty line between objects"
        case .csv: "RFC 4180; nil is an empty field, an empty text is \"\""
        case .tsv: "fields behind tabs; \\t, \\n, \\r and \\\\ inside of a text"
        case .ndjson: "one JSON object per line"
        case .json: "one JSON array, or one document of several classes"
        case .markdown: "a table of GitHub flavoured Markdown"
        case .html: "a table of HTML"
        case .insert: "an INSERT of SQL for each row"
        case .sql: "CREATE TABLE and INSERT in a transaction, for sqlite3"
        }
    }
}
