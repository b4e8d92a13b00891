import ArgumentParser
import FirnEngine
import FirnPlatform
import FirnQuery
import FirnValues

/// `firn create`: creates a database from inputs or from a schema.
struct CreateCommand: LimitedSubcommand {
    static let configuration = CommandConfiguration(
        commandName: "create", _superCommandName: "firn",
        abstract: "Create a database from CSV, TSV, JSON, NDJSON or a schema.",
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
            CSV or TSV with a header, JSON or NDJSON, or - for standard input; repeatable. The \
            class is named after the file unless CLASS is given.
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
        name: .customLong("class"),
        help: ArgumentHelp(
            "The name of the class; with several inputs, one for each, in the same order.",
            valueName: "NAME"))
    var classNames: [String] = []

    @Option(
        name: .customLong("key"),
        help: ArgumentHelp(
            "The property that identifies an object; repeatable.", valueName: "[CLASS.]PROP"))
    var keys: [KeyOption] = []

    @OptionGroup var records: RecordOptions

    @Flag(
        name: .long, help: "Do nothing if the database already exists and has these classes.")
    var ifMissing = false

    @Flag(name: .long, help: "Print the schema that would be used, and create nothing.")
    var dryRun = false

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

    /// A database is created only if the command line names it.
    static var usesDefaultFile: Bool { false }

    mutating func validate() throws {
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
        if format == .swift, !dryRun {
            throw ValidationError("-f swift prints a schema, so it needs --dry-run")
        }
    }

    func run(in environment: CommandEnvironment) throws(CommandFailure) -> ExitStatus {
        let line = Progress(progress.progress, quiet: common.quiet, environment)
        defer { line.clear() }
        let exists = try exists(environment)
        // Checks that a database can be created here before a long import.
        let making = exists || dryRun ? nil : try DatabaseCreator(self, line, environment)
        let plan = try CreatePlan(self, line, environment)
        if dryRun {
            try environment.print(format.text(plan.definitions, environment))
            return .ok
        }
        let report: CreateReport
        if let making {
            let made = try making.make(plan)
            report = CreateReport(
                file: file, version: made.version, classes: made.classes, links: made.links,
                bytes: made.bytes, nanoseconds: line.elapsed)
        } else {
            report = try existing(plan, line, environment)
        }
        line.clear()
        guard !common.quiet else { return .ok }
        for link in report.links where link.unmatched > 0 {
            environment.note(link.text + "\n")
        }
        let isText =
            format == .text || (format == .auto && environment.outputIsTerminal)
        try environment.printReport(
            isText ? report.text : report.json, of: "created \(SafeText.escaping(file))")
        return .ok
    }

    /// Returns whether the file exists; throws if it must not exist.
    private func exists(_ environment: CommandEnvironment) throws(CommandFailure) -> Bool {
        try CommandFailure.checkName(file)
        let status: FileStatus?
        do { status = try environment.services.files.status(of: file) } catch {
            throw .diagnostic(Diagnostic(error, "cannot create \(SafeText.escaping(file))"))
        }
        guard status != nil else { return false }
        guard !ifMissing else { return true }
        throw CommandFailure(existing: file)
    }

    /// Compares the existing database with the planned one.
    private func existing(
        _ plan: CreatePlan, _ line: Progress, _ environment: CommandEnvironment
    ) throws(CommandFailure) -> CreateReport {
        let open = try OpenDatabase(file, environment)
        let known = open.snapshot.schema
        for wanted in plan.definitions {
            let found = known.classNamed(wanted.name).map { known.definition(of: $0) }
            guard let found, CreateCommand.matches(found, wanted, known) else {
                var diagnostic = Diagnostic(
                    .writeSchema,
                    "\(SafeText.escaping(file)) already exists, but its class "
                        + "\(SafeText.escaping(wanted.name)) "
                        + (found == nil ? "is missing" : "differs"))
                diagnostic.file = file
                diagnostic.details = found.map { ["found: \(SchemaDocument.json([$0]))"] } ?? []
                diagnostic.details.append("expected: \(SchemaDocument.json([wanted]))")
                diagnostic.remedy = "change the class with: firn alter"
                throw .diagnostic(diagnostic)
            }
        }
        do throws(StoreError) {
            return CreateReport(
                file: file, version: open.snapshot.version, classes: [], links: [],
                bytes: try open.database.store.fileStatus().size, nanoseconds: line.elapsed,
                isSkipped: true)
        } catch { throw CommandFailure(error) }
    }

    /// Returns whether two classes have the same properties, in any order and with any display
    /// format.
    private static func matches(
        _ found: ClassDefinition, _ wanted: ClassDefinition, _ schema: Schema
    ) -> Bool {
        func names(_ definition: ClassDefinition) -> [String: String] {
            Dictionary(
                definition.properties.map { ($0.name, $0.typeName) }, uniquingKeysWith: { $1 })
        }
        return names(found) == names(wanted) && found.keyName == wanted.keyName
            && found.isEmbedded == wanted.isEmbedded
    }
}
