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
    }

    var options: LogOptions {
        LogOptions(
            file: file, countMax: limit ?? .max, since: since?.reference, isSummary: summary,
            format: format, progress: progress.progress, isQuiet: common.quiet)
    }
}

/// The options of `log`, as plain values.
struct LogOptions {
    let file: String
    /// The maximum number of versions.
    let countMax: Int
    /// The version before the first listed one; `nil` for the whole history.
    let since: VersionReference?
    let isSummary: Bool
    let format: RecordFormat
    let progress: ProgressStyle
    let isQuiet: Bool
}
