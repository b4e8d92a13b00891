import ArgumentParser
import FirnFormats
import FirnValues

/// `firn check`: verifies a database.
struct CheckCommand: LimitedSubcommand {
    typealias Run = CheckRun

    static let configuration = CommandConfiguration(
        commandName: "check", _superCommandName: "firn",
        abstract: "Verify a database: checksums, structure, space, and with --deep every value.",
        usage: "firn check FILE [OPTIONS]",
        discussion:
            "The exit status is 1 if anything is damaged, and 74 only if the file cannot be read.",
        version: ProgramVersion.text)

    @Argument(help: ArgumentHelp("The database.", valueName: "FILE"))
    var file: String

    @Flag(
        name: .long, help: "Also check all keys, and every value against the summary of its page.")
    var deep = false

    @Option(
        name: .long,
        help: ArgumentHelp(
            "Check only this part of the row groups of each class, such as 5%, chosen at random.",
            valueName: "PERCENT"))
    var sample: Percentage?

    @Option(
        name: .long,
        help: ArgumentHelp(
            "Write all readable data to a new database; the file must not exist.",
            valueName: "OUT"))
    var salvage: String?

    @OptionGroup var reporting: ReportOptions

    @OptionGroup var progress: ProgressOptions
    @OptionGroup var ending: TimeoutOptions
    @OptionGroup var common: CommonOptions

    mutating func validate() throws {
        guard sample != nil, deep else { return }
        throw ValidationError("--deep and --sample cannot be combined")
    }
}
