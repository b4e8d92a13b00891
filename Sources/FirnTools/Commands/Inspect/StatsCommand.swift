import ArgumentParser
import FirnEngine
import FirnPlatform
import FirnQuery

/// `firn stats`: shows sizes, encodings and versions.
struct StatsCommand: Subcommand {
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

    func run(in environment: CommandEnvironment) throws(CommandFailure) -> ExitStatus {
        let open = try OpenDatabase(file, at: version.reference, environment)
        let report: StatsReport
        do throws(StoreError) {
            report = try StatsReport(
                file: file, open, listsSessions: sessions, listsPages: pages,
                now: environment.services.clock.wallTime().seconds)
        } catch { throw CommandFailure(error) }
        try environment.print(reporting.format.isText(environment) ? report.text : report.json)
        return .ok
    }
}
