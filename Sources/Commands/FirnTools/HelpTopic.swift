import FirnFormats
import FirnValues

/// The topics of `firn help` other than commands.
enum HelpTopic: String, CaseIterable {
    case exitCodes = "exit-codes"
    case formats
    case queryLanguage = "query-language"
    case sql
    case events
    case examples
    case environment

    /// The text, which ends with a line feed.
    var text: String {
        switch self {
        case .exitCodes: HelpTopic.exitCodesText
        case .formats: HelpTopic.formatsText
        case .queryLanguage: HelpTopic.queryLanguageText
        case .sql: HelpTopic.sqlText
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
            The exit statuses of commands.

            \(TextColumns.aligned(rows, right: [0]))
            After a signal, the process dies of that signal: a shell sees 130 for an
            interrupt, 141 for a closed pipe and 143 for a termination. New codes may
            appear; treat an unknown code as a failure. With --errors json, each error
            on standard error is one JSON object with a stable "code".

            """
    }

    private static var formatsText: String {
        let rows = RowFormat.allCases.map { ["-f \($0.rawValue)", $0.meaning] }
        return """
            The formats of the rows of query and export.

            \(TextColumns.aligned(rows, right: []))
            Without -f, the name of the output decides, then FIRN_FORMAT. export does not
            write auto, table, box and line. In JSON, Data is base64, dates are ISO 8601 in
            UTC, Decimal128, UUID and ObjectId are strings, links are the keys of their
            objects, and NaN and the infinities are strings. On a terminal, control
            characters inside values are escaped; only -r prints them.

            """
    }

    private static var environmentText: String {
        """
        The environment variables of firn; an option overrides its variable.

        \(TextColumns.aligned(variables.map { [$0.name, $0.meaning] }, right: []))
        Defaults can be set in $XDG_CONFIG_HOME/firn/config or ~/.config/firn/config, in
        lines such as "format = box". --no-config ignores the file. The names are
        \(ConfigurationSetting.allCases.map(\.rawValue).joined(separator: ", ")).

        """
    }

    /// The environment variables that commands use, in the order of the help.
    static let variables: [(name: String, meaning: String)] = [
        ("FIRN_FILE", "the database of a command line that names no file"),
        ("FIRN_FORMAT", "the format of query: see firn help formats"),
        ("FIRN_WAIT", "how long a writer waits for another, as --wait (5s)"),
        ("FIRN_AUTHOR", "the author of commits, shown by firn log and firn observe"),
        ("FIRN_ERRORS", "the format of errors, as --errors: human or json"),
        ("FIRN_PAGER", "the pager for output longer than the screen; cat for none"),
        ("PAGER", "the pager if FIRN_PAGER is not set"),
        ("COLUMNS", "the width of tables, instead of the width of the window"),
        ("NO_COLOR", "if set, no colours"),
        ("CLICOLOR_FORCE", "if set to anything but 0, colours even without a terminal"),
        ("TERM", "dumb means a terminal without colours"),
        ("LC_ALL", "if it does not name UTF-8, tables are drawn in ASCII"),
        ("LC_CTYPE", "used if LC_ALL is not set"),
        ("LANG", "used if neither is set"),
        ("TMPDIR", "the folder for large sorts; without it, /var/tmp"),
        ("XDG_CONFIG_HOME", "the folder of firn/config, the user's settings"),
        ("HOME", "if XDG_CONFIG_HOME is not set, .config in this folder is used"),
    ]
}

extension ExitStatus {
    /// The description in the help.
    var meaning: String {
        switch self {
        case .ok: "success, even if no rows match"
        case .no: "a negative result: query -e, query -1, diff, check, freeze --exists"
        case .usage: "the command line is wrong"
        case .data: "the query or the input is invalid, or records were skipped"
        case .noInput: "a database, input file, class or freeze does not exist"
        case .unavailable: "a version is no longer kept, or does not exist yet"
        case .software: "an internal error in firn"
        case .cannotCreate: "the output already exists, or cannot be created"
        case .inputOutput: "a read or write failed, the disk is full, or the file is damaged"
        case .temporaryFailure: "locked by another writer, or --if-version does not match"
        case .unreported: "committed, but a later step failed: do not repeat the command"
        case .noPermission: "permission denied"
        case .configuration: "the user's settings cannot be read, or are invalid"
        case .timeout: "the time of --timeout or --idle elapsed"
        }
    }
}

extension RowFormat {
    /// The description in the help.
    var meaning: String {
        switch self {
        case .auto: "table on a terminal, otherwise ndjson"
        case .table: "columns that fit the terminal, or line if they do not fit"
        case .box: "table with lines on all sides"
        case .line: "one line per property, an empty line between objects"
        case .csv: "RFC 4180; nil is an empty field, an empty string is \"\""
        case .tsv: "fields separated by tabs, with quotes as in csv"
        case .ndjson: "one JSON object per line"
        case .json: "one JSON array, or one document of several classes"
        case .markdown: "a table in GitHub Flavored Markdown"
        case .html: "an HTML table"
        case .insert: "an SQL INSERT statement for each row"
        case .sql: "CREATE TABLE and INSERT in a transaction, for sqlite3"
        case .sqlite: "a database of SQLite: tables with keys, foreign keys and indexes"
        case .parquet: "Parquet with zstd, for DuckDB, pandas and Spark"
        case .arrow: "an Arrow file, or an Arrow stream on a pipe"
        }
    }
}
