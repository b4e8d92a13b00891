import ArgumentParser
import FirnFormats
import FirnPlatform
import FirnValues

/// `firn query`: prints the objects that match a query.
struct QueryCommand: Subcommand {
    typealias Run = QueryRun

    static let configuration = CommandConfiguration(
        commandName: "query", _superCommandName: "firn",
        abstract: "Print the objects that match a query.",
        usage: "firn query FILE [QUERY]... [OPTIONS]",
        discussion: """
            Examples:
              firn query app.firn 'Person age > 30 SORT(age DESC) LIMIT(7)'
              firn query app.firn Person 'age > 30' --sort=-age --limit 7
              firn query app.firn 'Person city == "Oslo"' | jq -r .name
              firn query app.firn 'Person | group(city; n = @count, @avg.age) | n > 9'
              firn query app.firn 'Person age > @avg(age BY city)' -s name,age
              firn query data.csv 'data | group(city; n = @count)'
              zcat data.csv.gz | firn query - 'age > 30 SORT(age DESC)'

            FILE can also be a CSV, TSV, JSON, NDJSON, Parquet or Arrow file, a folder or a \
            pattern such as 'by/*/*' for several of them, or - for such a text on standard \
            input. Its objects are read into memory, with the types that firn create \
            infers; the class is named after the file, or Input, or with -c. A query may omit it. \
            Nothing is written to disk.

            Several QUERY arguments are the stages of one pipeline. Without any, statements are \
            read from standard input, one per line or separated by semicolons, and their rows \
            follow each other. The output is a table on a terminal, otherwise ndjson.

            firn help query-language summarizes the language, and firn help sql shows queries \
            beside statements of SQL.
            """,
        version: ProgramVersion.text)

    @Argument(
        help: ArgumentHelp(
            "The database, a CSV, TSV, JSON or NDJSON file, or - for standard input.",
            valueName: "FILE"))
    var file: String

    @Argument(
        help: ArgumentHelp(
            "The query, or its stages; - for standard input.", valueName: "QUERY"))
    var query: [String] = []

    @Option(
        name: [.customShort("F"), .customLong("query-file")], help: "Read the query from a file.")
    var queryFile: String?

    @Option(
        name: [.customShort("c"), .customLong("class")],
        help: "The class of a query that names no class.")
    var className: String?

    @Option(
        name: [.customShort("s"), .customLong("select")],
        help: "Print these properties, separated by commas.")
    var properties: String?

    @Option(
        name: .customLong("sort"), parsing: .unconditional,
        help: "Sort by these properties, separated by commas; a leading minus reverses the order.")
    var sort: String?

    @Option(name: .long, help: "Print at most this many objects.")
    var limit: Int?

    @Option(name: .long, help: "Skip this many objects.")
    var skip: Int?

    @Flag(name: .long, help: "Print only the number of objects.")
    var count = false

    @Flag(name: .long, help: "Print the plan instead of running the query.")
    var explain = false

    @Flag(
        name: .long,
        help: "Run the query, and print the plan and the cost instead of the rows.")
    var analyze = false

    @Flag(name: .long, help: "Print the cost of the query on standard error.")
    var stats = false

    @Flag(
        name: [.customShort("e"), .customLong("exit-status")],
        help: "Exit with 1 if there are no rows.")
    var failsWithoutRows = false

    @Flag(
        name: [.customShort("1"), .customLong("one")],
        help: "Exit with 1 unless there is exactly one row.")
    var wantsOne = false

    @OptionGroup var version: VersionOptions
    @OptionGroup var parameters: ParameterOptions

    @Option(
        name: .customLong("params"),
        help: ArgumentHelp(
            "A file with the values of all $NAME as one JSON object; -p takes precedence.",
            valueName: "FILE"))
    var parameterFile: String?

    @Option(
        name: .long,
        help: ArgumentHelp("Give up after this long, and exit with 124.", valueName: "DURATION"))
    var timeout: TimeSpan?

    @Option(
        name: .customLong("max-memory"),
        help: ArgumentHelp(
            "Use a temporary file for what takes more memory, 256M by default.",
            valueName: "SIZE"))
    var maxMemory: ByteSize?

    @OptionGroup(title: "Options for files that are not databases") var records: RecordOptions
    @OptionGroup(title: "Options for files that are not databases") var dialect: DialectOptions

    @OptionGroup var rows: RowOptions
    @OptionGroup var objects: ObjectOptions
    @OptionGroup var form: FileFormOptions
    @OptionGroup var progress: ProgressOptions
    @OptionGroup var paging: PagerOptions
    @OptionGroup var common: CommonOptions

    mutating func validate() throws {
        try records.check(with: dialect)
        if form.splitBy != nil, rows.output == nil || rows.output == "-" {
            throw ValidationError("--split-by writes a folder: name it with -o")
        }
        if let limit, limit < 0 { throw ValidationError("--limit must not be negative") }
        if let maxMemory, maxMemory.count < QueryOptions.maxMemoryMin {
            throw ValidationError("--max-memory must be at least 1M")
        }
        if let skip, skip < 0 { throw ValidationError("--skip must not be negative") }
        if parameterFile == "-", query.isEmpty || query == ["-"] {
            throw ValidationError("standard input cannot supply both the query and --params")
        }
        let readsQuery = query == ["-"] || queryFile == "-"
        let lacksQuery = query.isEmpty && queryFile == nil && className == nil
        if file == "-", readsQuery || lacksQuery || parameterFile == "-" {
            throw ValidationError("standard input cannot supply more than the objects")
        }
        if queryFile != nil, !query.isEmpty {
            throw ValidationError("give the query as an argument or with -F, not both")
        }
    }

    var options: QueryOptions {
        var options = QueryOptions(file: file, query: query)
        options.queryFile = queryFile
        options.className = className
        options.properties = properties
        options.sort = sort
        options.limit = limit
        options.skip = skip
        options.counts = count
        options.explanation = analyze ? .analyzed : explain ? .plan : nil
        options.reportsCost = stats
        options.failsWithoutRows = failsWithoutRows
        options.wantsOne = wantsOne
        options.version = version.version
        options.arguments = parameters.arguments
        options.parameterFile = parameterFile
        options.timeoutNanoseconds = timeout?.nanoseconds
        options.maxMemory = maxMemory
        options.records = records.form(in: dialect)
        options.rows = rows.layout(objects, form)
        options.progress = progress.progress
        options.isQuiet = common.quiet
        return options
    }

    /// Rearranges the words, because the parser would take the database after `--explain` as its
    /// value: an option either has a value or not.
    static func arranged(_ words: [String]) -> [String] {
        let end = words.firstIndex(of: "--") ?? words.endIndex
        let options = words[..<end].map { word in
            switch word {
            case "--explain=plan": "--explain"
            case "--explain=analyze": "--analyze"
            default: word
            }
        }
        return options + words[end...]
    }

    static func fastPath(_ words: [String]) -> (options: QueryOptions, verbosity: Int)? {
        QueryOptions(fastPath: words).map { ($0, verbosity: $0.isQuiet ? -1 : 0) }
    }
}
