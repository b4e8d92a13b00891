import ArgumentParser
import FirnEngine
import FirnPlatform

/// `firn compact`: makes a database as small as it can be.
struct CompactCommand: LimitedSubcommand {
    static let configuration = CommandConfiguration(
        commandName: "compact", _superCommandName: "firn",
        abstract: "Make the file as small as it can be, while others read and write.",
        usage: "firn compact FILE [-o OUT] [OPTIONS]",
        discussion: """
            Examples:
              firn compact app.firn
              firn compact app.firn --if-wasted 30% --min-size 10M --wait 20s
              firn compact app.firn -o small.firn --verify

            Works in place, in small steps: whatever interrupts it, what was done stays and \
            nothing is lost. Versions that have no name go; what freezes and readers keep is said \
            with the bytes that it takes. With --if-wasted and --min-size nothing is done unless \
            it is worth it, which is no error.
            """,
        version: ProgramVersion.text)

    @Argument(help: ArgumentHelp("The database.", valueName: "FILE"))
    var file: String

    @Option(
        name: .shortAndLong,
        help: ArgumentHelp(
            "Leave FILE as it is and write the newest version to a file of its own.",
            valueName: "OUT"))
    var output: String?

    @Option(
        name: .long,
        help: ArgumentHelp(
            "Do nothing unless so much of the file can be reclaimed.", valueName: "PERCENT"))
    var ifWasted: Percentage?

    @Option(
        name: .long,
        help: ArgumentHelp(
            "Do nothing unless the file is at least so large: 64K, 10M, 2G.", valueName: "SIZE"))
    var minSize: ByteSize?

    @Option(name: .long, help: "How pages are compressed: lz4, lz4-high (the default) or none.")
    var codec: PageCodec = .lz4High

    @Flag(name: .long, help: "Only say what could be reclaimed.")
    var dryRun = false

    @Flag(name: .long, help: "Check everything afterwards, as firn check --deep does.")
    var verify = false

    @OptionGroup var reporting: ReportOptions

    @OptionGroup var waiting: WaitOptions
    @OptionGroup var progress: ProgressOptions
    @OptionGroup var ending: TimeoutOptions
    @OptionGroup var common: CommonOptions

    mutating func validate() throws {
        if dryRun, output != nil || verify {
            throw ValidationError("--dry-run writes nothing, so neither -o nor --verify")
        }
    }

    func run(in environment: CommandEnvironment) throws(CommandFailure) -> ExitStatus {
        let line = Progress(progress.progress, quiet: common.quiet, environment)
        defer { line.clear() }
        try CompactRun(self, line, environment).run()
        return .ok
    }
}
