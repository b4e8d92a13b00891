import ArgumentParser
import FirnFormats
import FirnValues

/// `firn compact`: shrinks a database file.
struct CompactCommand: LimitedSubcommand {
    typealias Run = CompactRun

    static let configuration = CommandConfiguration(
        commandName: "compact", _superCommandName: "firn",
        abstract: "Shrink a database file while other processes read and write it.",
        usage: "firn compact FILE [-o OUT] [OPTIONS]",
        discussion: """
            Examples:
              firn compact app.firn
              firn compact app.firn --if-wasted 30% --min-size 10M --wait 20s
              firn compact app.firn -o small.firn --verify

            The file is compacted in place, in small steps. An interruption keeps the finished \
            steps and loses nothing. Versions without a name are dropped; the report lists the \
            freezes and readers that hold space, with the number of bytes. If the condition of \
            --if-wasted or --min-size is not met, nothing is done, and the exit status is 0.
            """,
        version: ProgramVersion.text)

    @Argument(help: ArgumentHelp("The database.", valueName: "FILE"))
    var file: String

    @Option(
        name: .shortAndLong,
        help: ArgumentHelp(
            "Leave FILE unchanged and write the newest version to a new file.",
            valueName: "OUT"))
    var output: String?

    @Option(
        name: .long,
        help: ArgumentHelp(
            "Do nothing unless at least this part of the file can be reclaimed.",
            valueName: "PERCENT"))
    var ifWasted: Percentage?

    @Option(
        name: .long,
        help: ArgumentHelp(
            "Do nothing unless the file is at least this large: 64K, 10M, 2G.", valueName: "SIZE"))
    var minSize: ByteSize?

    @Option(name: .long, help: "The compression of pages: lz4, lz4-high (the default) or none.")
    var codec: PageCodec = .lz4High

    @Flag(name: .long, help: "Only report what could be reclaimed.")
    var dryRun = false

    @Flag(name: .long, help: "Check the file afterwards, as firn check --deep does.")
    var verify = false

    @OptionGroup var reporting: ReportOptions

    @OptionGroup var waiting: WaitOptions
    @OptionGroup var progress: ProgressOptions
    @OptionGroup var ending: TimeoutOptions
    @OptionGroup var common: CommonOptions

    mutating func validate() throws {
        if dryRun, output != nil || verify {
            throw ValidationError("--dry-run cannot be combined with -o or --verify")
        }
    }
}
