import ArgumentParser
import FirnFormats
import FirnValues

/// `firn export`: exports all objects, a class or the result of a query.
struct ExportCommand: LimitedSubcommand {
    typealias Run = ExportRun

    static let configuration = CommandConfiguration(
        commandName: "export", _superCommandName: "firn",
        abstract:
            "Export all objects, a class or the result of a query.",
        usage: "firn export FILE [OUT] [QUERY] [OPTIONS]",
        discussion: """
            Examples:
              firn export flights.firn flights.csv
              firn export shop.firn orders.csv.gz -c Order
              firn export shop.firn late.ndjson 'Order state == "late"'
              firn export a.firn | firn create b.firn --from -
              firn export shop.firn shop.sqlite
              firn export flights.firn flights --split-by carrier,month -f parquet

            OUT appears only when it is complete. Without OUT, or with -, the objects go to \
            standard output. Several classes become one stream: ndjson begins with the schema and \
            names the class of each object, json is one document, and sql creates a table for each \
            class. An object of a class without a key has its $id, so that links to it can be \
            read back.
            """,
        version: ProgramVersion.text)

    @Argument(help: ArgumentHelp("The database.", valueName: "FILE"))
    var file: String

    @Argument(
        help: ArgumentHelp(
            "The file to write; it must not exist unless --force is given.", valueName: "OUT"))
    var output: String?

    @Argument(help: ArgumentHelp("The objects to write.", valueName: "QUERY"))
    var query: String?

    @Option(
        name: [.customShort("c"), .customLong("class")],
        help: "The class to write, or the class of a query that names no class; repeatable.")
    var classNames: [String] = []

    @Option(
        name: .shortAndLong,
        help: ArgumentHelp(
            """
            csv, tsv, ndjson, json, markdown, html, insert, sql, sqlite, parquet or arrow \
            (default: by the name of OUT, or ndjson; parquet with --split-by).
            """))
    var format: RowFormat?

    @Option(
        name: .customLong("split"),
        help: ArgumentHelp(
            "Write one file per class and schema.json into an existing folder.",
            valueName: "DIR"))
    var folder: String?

    @Flag(name: .long, help: "Write only the schema, as firn create --schema reads it.")
    var schemaOnly = false

    @Flag(name: .long, help: "Write no schema, in any format.")
    var dataOnly = false

    @Flag(name: .long, help: "Begin ndjson with the schema even if there is only one class.")
    var withSchema = false

    @Flag(
        name: .long,
        help: "Compress with gzip (default if OUT ends in .gz; a name in .zst means zstd).")
    var gzip = false

    @Flag(name: .long, help: "Replace OUT if it exists.")
    var force = false

    @Flag(name: .long, help: "Omit the column names.")
    var noHeader = false

    @Option(
        name: .long,
        help: ArgumentHelp(
            "The character between the fields of csv, or tab (default: a comma).",
            valueName: "CHARACTER"))
    var delimiter: FieldCharacter?

    @OptionGroup var version: VersionOptions
    @OptionGroup var objects: ObjectOptions
    @OptionGroup var form: FileFormOptions
    @OptionGroup var parameters: ParameterOptions
    @OptionGroup var progress: ProgressOptions
    @OptionGroup var ending: TimeoutOptions
    @OptionGroup var common: CommonOptions

    mutating func validate() throws {
        if let format, format.isDrawn {
            throw ValidationError(
                "export writes csv, tsv, ndjson, json, markdown, html, insert, sql, sqlite, "
                    + "parquet or arrow")
        }
        if schemaOnly, format == .insert {
            throw ValidationError("insert writes no schema; use sql")
        }
        if schemaOnly, dataOnly || query != nil {
            throw ValidationError("--schema-only cannot be combined with --data-only or a query")
        }
        if folder != nil, output != nil || query != nil || schemaOnly {
            throw ValidationError("--split cannot be combined with OUT, a query or --schema-only")
        }
        if folder != nil, format == .sqlite {
            throw ValidationError("a database of SQLite has all classes: name it as OUT")
        }
        if form.splitBy != nil, folder != nil || schemaOnly {
            throw ValidationError("--split-by cannot be combined with --split or --schema-only")
        }
        if form.splitBy != nil, output == nil || output == "-" {
            throw ValidationError("--split-by writes a folder: name it as OUT")
        }
        if let delimiter, delimiter.byte == nil {
            throw ValidationError("--delimiter needs a character")
        }
        if query != nil, classNames.count > 1 {
            throw ValidationError("a query has one class: give at most one -c")
        }
    }
}
