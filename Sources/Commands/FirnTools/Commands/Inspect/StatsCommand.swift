import ArgumentParser
import FirnEngine
import FirnFormats
import FirnPlatform
import FirnQuery
import FirnValues

/// `firn stats`: shows sizes, encodings and versions.
struct StatsCommand: Subcommand {
    typealias Run = StatsRun

    static let configuration = CommandConfiguration(
        commandName: "stats", _superCommandName: "firn",
        abstract: "Show sizes, encodings and versions, and what holds older versions.",
        usage: "firn stats FILE [OPTIONS]",
        version: ProgramVersion.text)

    @Argument(help: ArgumentHelp("The database.", valueName: "FILE"))
    var file: String

    @Flag(name: .long, help: "Also list the other processes that have the file open.")
    var sessions = false

    @Flag(name: .long, help: "Also list the pages of every column.")
    var pages = false

    @OptionGroup var reporting: ReportOptions

    @OptionGroup var version: VersionOptions
    @OptionGroup var common: CommonOptions
}

/// One run of `stats`.
struct StatsRun: CommandRun {
    private let options: StatsCommand
    private let environment: CommandEnvironment

    init(_ options: StatsCommand, _ environment: CommandEnvironment) {
        self.options = options
        self.environment = environment
    }

    func stateAfterInterruption() -> String? { "\(SafeText.escaping(options.file)) was only read" }

    func run() throws(CommandFailure) -> ExitStatus {
        let open = try OpenDatabase(options.file, at: options.version.reference, environment)
        let report = try CommandFailure.converting(
            StatsReport(
                file: options.file, open, listsSessions: options.sessions,
                listsPages: options.pages,
                now: environment.services.clock.wallTime().seconds))
        try environment.print(
            options.reporting.format.isText(environment) ? report.text : report.json)
        return .ok
    }
}
