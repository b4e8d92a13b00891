import ArgumentParser
package import FirnFormats
import FirnValues

/// The condition for a feature that depends on the terminal.
enum When: String, ExpressibleByArgument, CaseIterable {
    case auto
    case always
    case never
}

// The formats do not know how arguments are parsed: their types that are arguments become that here.

extension ErrorStyle: ExpressibleByArgument {}
extension ByteSize: ExpressibleByArgument {}
extension Percentage: ExpressibleByArgument {}
extension TimeSpan: ExpressibleByArgument {}
extension RowFormat: ExpressibleByArgument {}
extension IndexRequest: ExpressibleByArgument {}

/// The options of every command.
struct CommonOptions: ParsableArguments {
    @Option(name: .long, help: "The format of errors on standard error: human or json.")
    var errors: ErrorStyle?

    @Flag(
        name: .shortAndLong, help: "Print no report, progress or hints; errors are still printed.")
    var quiet = false

    @Flag(
        name: .shortAndLong,
        help:
            "Print the opened version and the elapsed time on standard error; twice: also settings."
    )
    var verbose: Int

    // Both options are read before parsing; see ConfigurationChoice.
    @Option(
        name: .long,
        help: ArgumentHelp("Read the settings from this file instead.", valueName: "FILE"))
    var config: String?

    @Flag(name: .long, help: "Read no settings.")
    var noConfig = false

    /// The level of messages; see ``CommandEnvironment/verbosity``.
    var verbosity: Int { quiet && verbose == 0 ? -1 : verbose }
}

/// The format of progress messages.
enum ProgressStyle: String, ExpressibleByArgument, CaseIterable {
    /// On a terminal.
    case auto
    case always
    case never
    /// One JSON object per line.
    case json
}

/// The options of long-running commands.
struct ProgressOptions: ParsableArguments {
    @Option(
        name: .long,
        help: ArgumentHelp(
            """
            Show progress on standard error: auto (a terminal, after half a second), always, \
            never, or json for one object per line.
            """))
    var progress: ProgressStyle = .auto
}

/// The format of a report.
enum ReportFormat: String, ExpressibleByArgument, CaseIterable {
    /// Text on a terminal, otherwise JSON.
    case auto
    case text
    case json

    func isText(_ environment: CommandEnvironment) -> Bool {
        switch self {
        case .auto: environment.outputIsTerminal
        case .text: true
        case .json: false
        }
    }
}

/// The option of commands that print a report.
struct ReportOptions: ParsableArguments {
    @Option(
        name: .shortAndLong,
        help: "The report: auto (text on a terminal, otherwise json), text or json.")
    var format: ReportFormat = .auto
}

/// The format of one or several records.
enum RecordFormat: String, ExpressibleByArgument, CaseIterable {
    /// Text on a terminal, otherwise one JSON object per line.
    case auto
    case text
    case json
    case ndjson

    enum Resolved {
        case text
        case json
        case ndjson
    }

    func resolved(_ environment: CommandEnvironment) -> Resolved {
        switch self {
        case .auto: environment.outputIsTerminal ? .text : .ndjson
        case .text: .text
        case .json: .json
        case .ndjson: .ndjson
        }
    }

    func isText(_ environment: CommandEnvironment) -> Bool { resolved(environment) == .text }
}
