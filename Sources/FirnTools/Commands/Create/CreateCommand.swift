import ArgumentParser
import FirnEngine
import FirnPlatform
import FirnValues

/// `firn create`: makes a database from CSV or TSV.
struct CreateCommand: Subcommand {
    static let configuration = CommandConfiguration(
        commandName: "create", _superCommandName: "firn",
        abstract: "Make a database, from CSV or TSV.",
        usage: "firn create FILE [--from INPUT]... [OPTIONS]",
        discussion: """
            Examples:
              firn create people.firn --from people.csv --class Person --key id
              firn create shop.firn --from orders.csv --from items.tsv --type zip=String
              gzip -dc flights.csv.gz | firn create flights.firn --from - --class Flight

            A column gets a type other than String only if every value prints again as exactly \
            the same text. What was decided, and why, is said on standard error.
            """,
        version: FirnCommand.version)

    @Argument(
        help: ArgumentHelp(
            "The database to make; nothing may have that name yet.", valueName: "FILE"))
    var file: String

    @Option(
        name: .customLong("from"),
        help: ArgumentHelp(
            "A CSV or TSV file with a header, or - for standard input; repeatable.",
            valueName: "INPUT"))
    var inputs: [String] = []

    @Option(
        name: .customLong("class"),
        help: ArgumentHelp(
            "The name of the class; otherwise it is made from the name of the input.",
            valueName: "NAME"))
    var className: String?

    @Option(
        name: .long,
        help: ArgumentHelp("The property that identifies an object.", valueName: "PROP"))
    var key: String?

    @Option(
        name: .customLong("type"),
        help: ArgumentHelp(
            "The type of a property: Bool, Int, Double, Date or String; repeatable.",
            valueName: "PROP=TYPE"))
    var types: [DeclaredType] = []

    @Flag(name: .long, help: "Print the schema that would be used, and make nothing.")
    var dryRun = false

    @Option(
        name: .shortAndLong,
        help: "The report: auto (text on a terminal, otherwise json), text or json.")
    var format: ReportFormat = .auto

    @OptionGroup var progress: ProgressOptions
    @OptionGroup var common: CommonOptions

    mutating func validate() throws {
        if className != nil, inputs.count != 1 {
            throw ValidationError("--class names one class, so it needs exactly one --from")
        }
        if inputs.filter({ $0 == "-" }).count > 1 {
            throw ValidationError("standard input can be read only once")
        }
        if inputs.isEmpty, key != nil || !types.isEmpty || dryRun {
            throw ValidationError("--key, --type and --dry-run need --from")
        }
    }

    func run(in surroundings: Surroundings) throws(CommandFailure) -> ExitStatus {
        let line = Progress(progress.progress, quiet: common.quiet, surroundings)
        defer { line.clear() }
        try refuseExisting(surroundings)
        var tables: [ImportTable] = []
        for input in inputs {
            let table = try ImportTable(input, command: self, line, surroundings)
            if let other = tables.first(where: { $0.definition.name == table.definition.name }) {
                throw .diagnostic(
                    .usage(
                        "\(other.name) and \(table.name) both make the class "
                            + "\(table.definition.name)",
                        remedy: "rename one of the inputs"))
            }
            line.clear()
            if !common.quiet { surroundings.tell(DecisionReport.text(table)) }
            tables.append(table)
        }
        try checkNames(tables)
        if dryRun {
            let classes = tables.map(\.definition)
            try surroundings.print(
                format.isText(surroundings)
                    ? SchemaText.text(classes) : SchemaDocument.json(classes) + "\n")
            return .ok
        }
        let made = try DatabaseMaking(path: file, surroundings, line).make(tables)
        line.clear()
        if !common.quiet {
            let report = CreateReport(
                file: file, version: made.version, tables: tables, bytes: made.bytes,
                nanoseconds: line.elapsed)
            try surroundings.print(format.isText(surroundings) ? report.text : report.json)
        }
        return .ok
    }

    /// Before hours of reading: nothing may have the name.
    private func refuseExisting(_ surroundings: Surroundings) throws(CommandFailure) {
        let status: FileStatus?
        do { status = try surroundings.services.files.status(of: file) } catch {
            throw .diagnostic(Diagnostic(error, "cannot create \(SafeText.escaping(file))"))
        }
        guard status == nil else {
            var diagnostic = Diagnostic(
                .fileExists, "cannot create \(SafeText.escaping(file)): it exists already")
            diagnostic.file = file
            diagnostic.remedy = "choose another name, or remove that file first"
            throw .diagnostic(diagnostic)
        }
    }

    /// Every name in an option must be a column of some input.
    private func checkNames(_ tables: [ImportTable]) throws(CommandFailure) {
        let names = tables.flatMap(\.columns).map(\.name)
        for name in types.map(\.property) + (key.map { [$0] } ?? []) where !names.contains(name) {
            var diagnostic = Diagnostic(
                .writeUnknownProperty, "no column is called \"\(SafeText.escaping(name))\"")
            diagnostic.suggestions = EditDistance.nearest(to: name, among: names)
            if let first = diagnostic.suggestions.first {
                diagnostic.details = ["did you mean \"\(SafeText.escaping(first))\"?"]
            }
            diagnostic.details.append("columns: \(names.joined(separator: ", "))")
            throw .diagnostic(diagnostic)
        }
    }
}

extension DeclaredType: ExpressibleByArgument {
    package init?(argument: String) {
        guard let equals = argument.lastIndex(of: "="), equals != argument.startIndex,
            let type = PropertyType(
                scalarNamed: String(argument[argument.index(after: equals)...])),
            DeclaredType.kinds.contains(type.base)
        else { return nil }
        self.init(property: String(argument[..<equals]), type: type)
    }
}
