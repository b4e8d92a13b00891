import ArgumentParser
import FirnEngine
import FirnValues

/// `firn log`: lists the versions in the history, and what each changed.
struct LogCommand: Subcommand {
    typealias Run = LogRun

    static let configuration = CommandConfiguration(
        commandName: "log", _superCommandName: "firn",
        abstract: "List the versions in the history, newest first, and what each changed.",
        usage: "firn log FILE [OPTIONS]",
        discussion: """
            Examples:
              firn log app.firn -n 10
              firn log app.firn --since before-import --summary
              firn log app.firn -c Person --object 7
            """,
        version: ProgramVersion.text)

    @Argument(help: ArgumentHelp("The database.", valueName: "FILE"))
    var file: String

    @Option(
        name: [.customShort("n"), .customLong("limit")],
        help: ArgumentHelp("Print at most N versions.", valueName: "N"))
    var limit: Int?

    @Option(
        name: .long,
        help: ArgumentHelp(
            "Print only versions after this one: a number, the name of a freeze, or @-N.",
            valueName: "VERSION|NAME|@-N"))
    var since: VersionArgument?

    @Option(
        name: [.customShort("c"), .customLong("class")],
        help: "Print only versions that changed objects of this class; repeatable.")
    var classNames: [String] = []

    @Option(
        name: .long,
        help: ArgumentHelp(
            "Print only versions that changed this object of the class, and how: its key, "
                + "or its number in a class without a key.", valueName: "KEY"))
    var object: String?

    @Flag(name: .long, help: "Print one line that summarizes all versions.")
    var summary = false

    @Option(
        name: .shortAndLong,
        help: "auto (text on a terminal, otherwise ndjson), text, json or ndjson.")
    var format: RecordFormat = .auto

    @OptionGroup var progress: ProgressOptions
    @OptionGroup var paging: PagerOptions
    @OptionGroup var common: CommonOptions

    mutating func validate() throws {
        if let limit, limit < 1 { throw ValidationError("-n must be at least 1") }
        if object != nil, classNames.count != 1 {
            throw ValidationError("--object needs the class of the object: -c CLASS")
        }
    }
}
