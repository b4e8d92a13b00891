/// The commands; the first word of the command line selects one.
enum CommandName: String, CaseIterable {
    case create
    case query
    case write
    case observe
    case alter
    case export
    case freeze
    case log
    case diff
    case compact
    case schema
    case stats
    case check
    case repl
    case completions

    /// Returns the command that corresponds to a word of another program.
    init?(otherName: String) {
        switch otherName.lowercased() {
        case "import", "insert", "update", "delete", "load", "upsert": self = .write
        case "select", "find", "get": self = .query
        case "watch", "subscribe": self = .observe
        case "dump": self = .export
        case "info", "status", "size": self = .stats
        case "ls", "list", "tables", "classes", "describe": self = .schema
        case "drop", "rename", "migrate": self = .alter
        case "backup", "copy", "snapshot", "undo", "rollback", "restore", "thaw": self = .freeze
        case "history": self = .log
        case "vacuum": self = .compact
        case "verify": self = .check
        case "shell": self = .repl
        default: return nil
        }
    }

    /// Returns the command line that corresponds to a word of another program, if the name of the
    /// command alone does not explain it.
    static func command(forOtherName name: String) -> String? {
        switch name.lowercased() {
        case "backup", "copy", "snapshot": "firn freeze FILE -o COPY"
        case "undo", "rollback", "restore", "thaw": "firn freeze FILE --thaw @-1"
        default: nil
        }
    }

    /// The summary in the short help.
    var summary: String {
        switch self {
        case .create: "create a database from CSV, TSV, JSON or a schema"
        case .query: "print the objects that match a query"
        case .write: "insert, change and delete objects"
        case .observe: "print changes to a query result as they are committed"
        case .alter: "change classes and properties"
        case .export: "export all objects, a class or a query result"
        case .freeze: "name a version to keep it readable, or copy it to a file"
        case .log: "list the versions in the history, and what each changed"
        case .diff: "print the differences between two versions or databases"
        case .compact: "shrink a database file"
        case .schema: "print the classes and their properties"
        case .stats: "show sizes, encodings and versions"
        case .check: "verify a database"
        case .repl: "query and edit a database interactively"
        case .completions: "print the completion script for bash, zsh or fish"
        }
    }
}
