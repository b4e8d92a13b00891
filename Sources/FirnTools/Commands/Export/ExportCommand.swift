import ArgumentParser
import FirnEngine
import FirnPlatform
import FirnQuery
import FirnValues

/// `firn export`: writes all objects of a class, or of a query, in an exchange format.
struct ExportCommand: Subcommand {
    static let configuration = CommandConfiguration(
        commandName: "export", _superCommandName: "firn",
        abstract: "Write a class or the result of a query as csv, tsv, ndjson or json.",
        usage: "firn export FILE [OUT] [QUERY] [OPTIONS]",
        discussion: """
            Examples:
              firn export flights.firn flights.csv
              firn export shop.firn -c Order -f csv | gzip > orders.csv.gz
              firn export shop.firn late.ndjson 'Order state == "late"'

            OUT appears only when it is complete; - or nothing is standard output.
            """,
        version: FirnCommand.version)

    @Argument(help: ArgumentHelp("The database.", valueName: "FILE"))
    var file: String

    @Argument(
        help: ArgumentHelp(
            "The file to write; nothing may have that name without --force.", valueName: "OUT"))
    var output: String?

    @Argument(help: ArgumentHelp("The objects to write.", valueName: "QUERY"))
    var query: String?

    @Option(
        name: [.customShort("c"), .customLong("class")],
        help: "The class to write, or the class of a query that names none.")
    var className: String?

    @Option(
        name: .shortAndLong,
        help: "csv, tsv, ndjson or json; otherwise by the name of OUT, or ndjson.")
    var format: RowFormat?

    @Flag(name: .long, help: "Replace OUT if it exists.")
    var force = false

    @Flag(name: .long, help: "No names of columns in csv and tsv.")
    var noHeader = false

    @OptionGroup var objects: ObjectOptions
    @OptionGroup var progress: ProgressOptions
    @OptionGroup var common: CommonOptions

    mutating func validate() throws {
        if format == .table || format == .auto {
            throw ValidationError("export writes csv, tsv, ndjson or json")
        }
    }

    func run(in surroundings: Surroundings) throws(CommandFailure) -> ExitStatus {
        let line = Progress(progress.progress, quiet: common.quiet, surroundings)
        defer { line.clear() }
        let database = try OpenDatabase(file, surroundings)
        let text = try text(database.snapshot.schema)
        let result = try database.query(text, defaultClass: className)
        let target = try RowOutput(output, existing: force ? .replaced : .refused, surroundings)
        let transfer = RowTransfer(result, database: database, text: text, objects)
        let rowCount = try transfer.run(into: writer(target.sink), target, surroundings) { rows in
            line.update(
                "writing \(Amounts.count(rows, "object"))", done: target.fileSize ?? 0, of: nil)
        }
        try target.commit()
        line.clear()
        if let bytes = target.fileSize, !common.quiet {
            try report(rowCount, bytes, database, line.elapsed, surroundings)
        }
        return .ok
    }

    private func text(_ schema: Schema) throws(CommandFailure) -> String {
        if let query { return query }
        if let className { return try schema.chosen(className, in: file).name }
        guard schema.classes.count == 1, let only = schema.classes.first else {
            throw .diagnostic(
                .usage(
                    schema.classes.isEmpty
                        ? "the database has no classes" : "the database has several classes",
                    remedy: schema.classes.isEmpty
                        ? nil
                        : "choose one with -c: \(schema.classes.map(\.name).joined(separator: ", "))"
                ))
        }
        return only.name
    }

    private func writer(_ sink: any ByteSink) -> any ResultWriter {
        var options = WriterOptions()
        options.header = !noHeader
        options.quotesInt64 = objects.quotesInt64
        switch format ?? output.flatMap({ RowFormat(path: $0) }) ?? .ndjson {
        case .csv: return CSVWriter(sink, options)
        case .tsv: return TSVWriter(sink, options)
        case .json: return JSONWriter(sink, .array, options)
        case .ndjson, .table, .auto: return JSONWriter(sink, .lines, options)
        }
    }

    private func report(
        _ rowCount: UInt64, _ bytes: UInt64, _ database: OpenDatabase, _ nanoseconds: UInt64,
        _ surroundings: Surroundings
    ) throws(CommandFailure) {
        let version = database.snapshot.version.rawValue
        guard !surroundings.outputIsTerminal else {
            return try surroundings.print(
                "wrote \(SafeText.escaping(output ?? "")): \(Amounts.count(rowCount, "object")) of "
                    + "version \(version), \(Amounts.bytes(bytes))\n")
        }
        var json = JSONObject()
        json.add("v", 1)
        json.add("type", "export")
        json.add("file", file)
        json.add("output", output ?? "-")
        json.add("version", Int64(clamping: version))
        json.add("objects", Int64(clamping: rowCount))
        json.add("bytes", Int64(clamping: bytes))
        json.add("seconds", nanoseconds: nanoseconds)
        try surroundings.print(json.text + "\n")
    }
}
