/// The commands; the first word of the command line chooses one.
enum CommandName: String, CaseIterable {
    case create
    case query
    case export
    case schema
    case stats
    case check

    /// Only the chosen type is reflected: doing it for all costs two milliseconds per start.
    var type: any Subcommand.Type {
        switch self {
        case .create: CreateCommand.self
        case .query: QueryCommand.self
        case .export: ExportCommand.self
        case .schema: SchemaCommand.self
        case .stats: StatsCommand.self
        case .check: CheckCommand.self
        }
    }

    /// The line of the short help.
    var summary: String {
        switch self {
        case .create: "make a database from CSV or TSV"
        case .query: "print the objects that match a query"
        case .export: "write a class or a query as csv, tsv, ndjson or json"
        case .schema: "print the classes and their properties"
        case .stats: "print how much there is"
        case .check: "verify a database"
        }
    }
}
