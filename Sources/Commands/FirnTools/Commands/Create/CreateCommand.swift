import ArgumentParser
import FirnFormats
import FirnValues

/// `firn create`: creates a database from inputs or from a schema.
struct CreateCommand: LimitedSubcommand {
    typealias Run = CreateRun

    static let configuration = CommandConfiguration(
        commandName: "create", _superCommandName: "firn",
        abstract: "Create a database from tables, JSON, other databases or a schema.",
        usage: "firn create FILE [--from INPUT]... [--schema SCHEMA] [OPTIONS]",
        discussion: """
            Examples:
              firn create people.firn --from people.csv --class Person --key id
              firn create shop.firn --from Order=orders.csv --from items.ndjson \\
                --type zip=String
              firn create year.firn --from Trip=january.csv --from Trip=february.csv
              firn create fly.firn --from Flight=flights.csv --from Plane=planes.csv \\
                --key Plane.tailnum --link plane=tailnum:Plane.tailnum
              firn create app.firn --schema app.json
              firn create app.firn --from default.realm
              firn export a.firn -f ndjson | firn create b.firn --from -

            Columns of whole numbers become Int, of other numbers Double, of ISO dates and times \
            Date (UTC unless they have an offset), of true and false Bool; all others become \
            String, also those with leading zeros. In a typed column, NA, N/A, NULL, \\N, - and ? \
            mean null. Properties are optional, except the key. Inputs of one class are loaded \
            together. Objects inside JSON become embedded classes, such as PersonAddress. Standard \
            error shows the type of each property, the reason for it, and the columns that an \
            export would print differently.
            """,
        version: ProgramVersion.text)

    @Argument(
        help: ArgumentHelp(
            "The database to create; the file must not exist.", valueName: "FILE"))
    var file: String

    @Option(
        name: .customLong("from"),
        help: ArgumentHelp(
            """
            CSV, TSV, JSON, NDJSON, Parquet, Arrow, SQLite or Realm, a folder, a pattern in \
            quotes such as '2013-*.csv', or - for standard input; repeatable. The class is named \
            after the file unless CLASS is given. SQLite and Realm files have classes of their \
            own; CLASS is put before their names.
            """,
            valueName: "[CLASS=]INPUT"))
    var inputs: [FromInput] = []

    @Option(
        name: .customLong("schema"),
        help: ArgumentHelp(
            "The classes as JSON, as firn schema -f json prints them; - for standard input.",
            valueName: "SCHEMA"))
    var schema: String?

    @Option(
        name: [.customShort("c"), .customLong("class")],
        help: ArgumentHelp(
            "The name of the class; with several inputs, one for each, in the same order.",
            valueName: "NAME"))
    var classNames: [String] = []

    @Option(
        name: .customLong("key"),
        help: ArgumentHelp(
            "The property that identifies an object; repeatable.", valueName: "[CLASS.]PROP"))
    var keys: [KeyOption] = []

    @Option(
        name: .customLong("index"),
        help: ArgumentHelp(
            """
            A property, or several, by which objects are found fast; [c] ignores case; repeatable.
            """,
            valueName: "CLASS.PROP|CLASS(PROP,...)"))
    var indexes: [IndexRequest] = []

    @Option(
        name: .customLong("unique"),
        help: ArgumentHelp(
            "An index in which no two objects have the same values; repeatable.",
            valueName: "CLASS.PROP|CLASS(PROP,...)"))
    var uniqueIndexes: [IndexRequest] = []

    @OptionGroup var short: InputOptions
    @OptionGroup var records: RecordOptions
    @OptionGroup var dialect: DialectOptions

    @Flag(
        name: .long, help: "Do nothing if the database already exists and has these classes.")
    var ifMissing = false

    @Flag(name: .long, help: "Print the schema that would be used, and create nothing.")
    var dryRun = false

    @Option(
        name: .long,
        help: ArgumentHelp(
            "The key of encrypted Realm files: 64 bytes or 128 hexadecimal digits.",
            valueName: "FILE"))
    var keyFile: String?

    @Flag(name: .long, help: "Read copies of Realm files, which an app may have open.")
    var copy = false

    @Option(name: .long, help: "The compression of pages: lz4 (the default), lz4-high or none.")
    var codec: PageCodec = .lz4

    @Option(
        name: .shortAndLong,
        help: """
            The report: auto (text on a terminal, otherwise json), text or json; with --dry-run \
            also swift.
            """)
    var format: SchemaFormat = .auto

    @OptionGroup var progress: ProgressOptions
    @OptionGroup var ending: TimeoutOptions
    @OptionGroup var common: CommonOptions

    /// Whether FIRN_FILE can name the database: it is created only if the command line names it.
    static var usesDefaultFile: Bool { false }

    mutating func validate() throws {
        (records, dialect) = try short.moved(to: records, dialect)
        if !classNames.isEmpty, classNames.count != inputs.count {
            throw ValidationError("--class needs one name for each --from")
        }
        let streams = inputs.filter { $0.path == "-" }.count + (schema == "-" ? 1 : 0)
        if streams > 1 { throw ValidationError("standard input can be read only once") }
        if inputs.isEmpty, !keys.isEmpty || !records.types.isEmpty {
            throw ValidationError("--key and --type need --from")
        }
        if inputs.isEmpty, schema == nil, dryRun || ifMissing || !records.links.isEmpty {
            throw ValidationError("--dry-run, --if-missing and --link need --from or --schema")
        }
        if inputs.isEmpty, schema == nil, !indexes.isEmpty || !uniqueIndexes.isEmpty {
            throw ValidationError("--index and --unique need --from or --schema")
        }
        if format == .swift, !dryRun {
            throw ValidationError("-f swift prints a schema, so it needs --dry-run")
        }
    }

    var options: CreateOptions {
        CreateOptions(
            file: file, inputs: inputs, schema: schema, classNames: classNames, keys: keys,
            records: records.form(in: dialect), isIfMissing: ifMissing, isDryRun: dryRun,
            codec: codec,
            format: format, progress: progress.progress, isQuiet: common.quiet,
            decisions: common.quiet ? .none : .all, keyFile: keyFile, isCopied: copy,
            indexes: indexes, uniqueIndexes: uniqueIndexes)
    }
}

/// The options of `create`, as plain values.
struct CreateOptions {
    let file: String
    let inputs: [FromInput]
    /// The file with the classes.
    let schema: String?
    /// The names of the classes of the inputs, in the same order; empty for the default names.
    let classNames: [String]
    let keys: [KeyOption]
    var records: RecordForm
    /// Whether an existing database with the same classes is a success.
    let isIfMissing: Bool
    let isDryRun: Bool
    let codec: PageCodec
    let format: SchemaFormat
    let progress: ProgressStyle
    let isQuiet: Bool
    /// The reported decisions about types.
    let decisions: DecisionReport.Extent
    /// The file with the key of encrypted Realm files.
    var keyFile: String?
    /// Whether copies of Realm files are read.
    var isCopied = false
    var indexes: [IndexRequest] = []
    var uniqueIndexes: [IndexRequest] = []
    /// The class of an input whose name does not determine one.
    var classOfUnnamed: String?
    /// The texts that name all classes whose objects are needed; `nil` if all are needed.
    var neededBy: [String]?
}

extension CreateOptions {
    /// The options for a database with the objects of one input, as `firn create FILE --from INPUT`
    /// creates it.
    init(input: FromInput, file: String, decisions: DecisionReport.Extent, isQuiet: Bool) {
        self.init(
            file: file, inputs: [input], schema: nil, classNames: [], keys: [],
            records: RecordForm(), isIfMissing: false, isDryRun: false, codec: .lz4,
            format: .auto, progress: .auto, isQuiet: isQuiet, decisions: decisions)
    }
}
