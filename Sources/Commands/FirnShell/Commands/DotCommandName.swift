/// The dot commands, which are named at the start of a line after a dot.
enum DotCommandName: String, CaseIterable {
    case help
    case quit
    case open
    case close
    case show
    case version
    case history
    case edit
    case classes
    case schema
    case use
    case describe
    case mode
    case null
    case width
    case color
    case rows
    case pager
    case timezone
    case timer
    case once
    case output
    case back
    case chain
    case code
    case save
    case results
    case more
    case chart
    case last
    case begin
    case commit
    case cancel
    case diff
    case undo
    case insert
    case read
    case write
    case export
    case at
    case freeze
    case freezes
    case log
    case observe
    case observers
    case stop
    case stats
    case check
    case sessions
    case explain
    case profile
    case set
    case unset
    case vars
    case capture
    case shell
    case cd

    /// The kinds of the arguments in order; the last kind applies to all remaining words.
    var arguments: [ArgumentKind] {
        switch self {
        case .help: [.topic]
        case .quit, .log, .stop, .edit: [.number]
        case .rows: [.choice(["all"])]
        case .color: [.choice(["auto", "always", "never"])]
        case .timezone: [.choice(["UTC"])]
        case .null: [.text]
        case .history: [.choice(["delete"]), .text]
        case .open: [.database, .choice(["--ro"])]
        case .close, .show, .version, .back, .chain, .results, .more, .last, .begin, .commit,
            .cancel, .diff, .freezes, .observers, .stats, .check, .sessions, .vars:
            []
        case .undo: [.text]
        case .classes, .schema, .use, .describe: [.className]
        case .mode: [.format]
        case .width: [.choice(["auto"])]
        case .pager: [.choice(["on", "off"])]
        case .timer, .explain: [.onOff]
        case .once, .output, .read, .write: [.file]
        case .code: [.choice(["swift", "rql", "shell"])]
        case .chart: [.choice(ArgumentKind.charts), .text]
        case .save: [.text]
        case .insert: [.className, .text]
        case .export: [.file, .query]
        case .at: [.version]
        case .freeze: [.text]
        case .observe, .profile: [.query]
        case .set: [.variable, .text]
        case .unset: [.variable]
        case .capture: [.variable, .query]
        case .shell: [.shellCommand]
        case .cd: [.folder]
        }
    }

    /// The arguments, as shown in help and errors.
    var usage: String {
        switch self {
        case .help: "[TOPIC]"
        case .quit: "[STATUS]"
        case .open: "FILE [--ro]"
        case .history: "[N|WORD] | delete N[-M]"
        case .edit: "[N]"
        case .color: "[auto|always|never]"
        case .classes: "[PART]"
        case .schema: "[CLASS]"
        case .use: "[CLASS|-]"
        case .describe: "CLASS"
        case .mode: "[FORMAT]"
        case .null: "[TEXT]"
        case .width: "[N|auto]"
        case .rows: "[N|all]"
        case .pager: "[on|off|COMMAND]"
        case .timer, .explain: "[on|off]"
        case .timezone: "[ZONE]"
        case .once: "[FILE|-|'|COMMAND']"
        case .output: "[FILE|-|'|COMMAND']"
        case .code: "[swift|rql|shell]"
        case .chart: "[bar|hist|spark] PROPERTY"
        case .save: "NAME|FILE"
        case .insert: "CLASS JSON"
        case .read: "FILE"
        case .write: "[-c CLASS] INPUT..."
        case .export: "FILE [QUERY]"
        case .at: "[VERSION|NAME|@-N|head]"
        case .freeze: "NAME"
        case .log: "[N]"
        case .observe: "QUERY"
        case .stop: "[N]"
        case .profile: "QUERY"
        case .set: "NAME VALUE"
        case .unset: "NAME"
        case .capture: "NAME QUERY"
        case .shell: "COMMAND"
        case .cd: "FOLDER"
        case .close, .show, .version, .back, .chain, .results, .more, .last, .begin, .commit,
            .cancel, .diff, .freezes, .observers, .stats, .check, .sessions, .vars:
            ""
        case .undo: "[VERSION]"
        }
    }

    /// The summary in the help.
    var summary: String {
        switch self {
        case .help: "describe the commands"
        case .quit: "leave"
        case .open: "open another database"
        case .close: "close the database"
        case .show: "show the settings"
        case .version: "show the version of firn and of the database"
        case .history: "list earlier statements, or delete some"
        case .edit: "edit an earlier statement in $EDITOR and run it"
        case .classes: "list the classes"
        case .schema: "show the classes and their properties"
        case .use: "set the class of statements that name no class; - for none"
        case .describe: "summarize the values of each property of a class"
        case .mode: "set the format of results"
        case .null: "set the text that tables show for null"
        case .width: "set the width of tables"
        case .color: "set when tables are coloured"
        case .rows: "set how many rows of a table are shown"
        case .pager: "set the pager for results that do not fit the screen"
        case .timezone: "set the time zone of functions that name none"
        case .timer: "show rows, time and pages read after each result"
        case .once: "write the next result to a file or command"
        case .output: "write all results to a file or command; - for the screen"
        case .back: "undo the last refinement"
        case .chain: "show the refinements of the last result"
        case .code: "show the last result as Swift, a query or a shell command"
        case .save: "save the last result as :NAME, or the database in a file such as a.firn"
        case .results: "list the saved results"
        case .more: "show the next rows of the last result, or all of its columns and texts"
        case .chart: "draw a property of the last result"
        case .last: "run the last result again"
        case .begin: "begin a transaction"
        case .commit: "commit the transaction"
        case .cancel: "roll back the transaction"
        case .diff: "show the changes of the transaction"
        case .undo: "undo the last commit with a new commit; VERSION if another process made it"
        case .insert: "insert an object"
        case .read: "run the statements in a file"
        case .write: "write objects from files"
        case .export: "write objects to a file"
        case .at: "switch to an older version, or to the newest with head"
        case .freeze: "name the version being read, so that it stays readable"
        case .freezes: "list the freezes"
        case .log: "list the latest versions"
        case .observe: "show changes to a query result as they are committed"
        case .observers: "list the running observers"
        case .stop: "stop one observer or all observers"
        case .stats: "show sizes, encodings and versions"
        case .check: "verify the database"
        case .sessions: "list the processes that have the database open"
        case .explain: "show query plans instead of rows"
        case .profile: "measure a query: once without cached pages, then 20 times"
        case .set: "set a variable, for use as $NAME"
        case .unset: "remove a variable"
        case .vars: "list the variables"
        case .capture: "set a variable to the first value of a query result"
        case .shell: "run a shell command"
        case .cd: "change the working directory"
        }
    }
}
