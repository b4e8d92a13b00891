import ArgumentParser
import FirnEngine

/// `firn diff`: prints the differences between two versions or databases.
struct DiffCommand: LimitedSubcommand {
    typealias Run = DiffRun

    static let configuration = CommandConfiguration(
        commandName: "diff", _superCommandName: "firn",
        abstract: "Print the differences between two versions of a database or two databases.",
        usage: "firn diff FILE [OTHER] [OPTIONS]",
        discussion: """
            Examples:
              firn diff app.firn
              firn diff app.firn --from before-import --summary
              firn diff a.firn b.firn -c Person
              firn diff a.firn b.firn | firn write a.firn --input observe -

            Without OTHER, two versions of FILE are compared: by default, the newest version and \
            the one before it. Objects are matched by key, or by object number in a class without \
            a key. The output turns the first version or database into the second. The exit \
            status is 1 if anything differs.
            """,
        version: ProgramVersion.text)

    @Argument(help: ArgumentHelp("The database.", valueName: "FILE"))
    var file: String

    @Argument(help: ArgumentHelp("Another database to compare with.", valueName: "OTHER"))
    var other: String?

    @Option(
        name: .customLong("from"),
        help: ArgumentHelp(
            "The version of FILE: its number, the name of a freeze, or @-N for N commits back.",
            valueName: "VERSION|NAME|@-N"))
    var from: VersionArgument?

    @Option(
        name: .customLong("to"),
        help: ArgumentHelp(
            "The version to compare with (default: the newest).", valueName: "VERSION|NAME|@-N")
    )
    var to: VersionArgument?

    @Option(
        name: [.customShort("c"), .customLong("class")],
        help: "Compare only objects of this class; repeatable.")
    var classNames: [String] = []

    @Flag(name: .long, help: "Print only the number of objects of each class that differ.")
    var summary = false

    @Option(
        name: .shortAndLong,
        help: "auto (text on a terminal, otherwise ndjson), text, json or ndjson.")
    var format: RecordFormat = .auto

    @OptionGroup var progress: ProgressOptions
    @OptionGroup var paging: PagerOptions
    @OptionGroup var ending: TimeoutOptions
    @OptionGroup var common: CommonOptions
}
