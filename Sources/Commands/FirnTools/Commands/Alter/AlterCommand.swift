import ArgumentParser
import FirnFormats

/// `firn alter`: changes classes and properties.
struct AlterCommand: LimitedSubcommand {
    typealias Run = AlterRun

    static let configuration = CommandConfiguration(
        commandName: "alter", _superCommandName: "firn",
        abstract: "Change classes and properties, and convert their values.",
        usage: "firn alter FILE CHANGE... [OPTIONS]",
        discussion: """
            Examples:
              firn alter app.firn 'add Person.email String?' 'rename Person.nme name'
              firn alter app.firn 'retype Person.zip Int' --dry-run
              firn alter app.firn 'key Person id' 'inverse Plane.flights = Flight.plane'

            Changes:
              add CLASS                      a class without properties
              add CLASS.PROP TYPE [= VALUE]  VALUE is the value of existing objects
              rename CLASS NEW               rename CLASS.PROP NEW
              remove CLASS                   remove CLASS.PROP
              retype CLASS.PROP TYPE         converts every value
              key CLASS PROP                 key CLASS none
              inverse CLASS.NAME = SOURCE.PROP
              index CLASS.PROP               index CLASS.PROP[c], index CLASS(PROP, ...)
              unique CLASS.PROP              unique CLASS(PROP, ...)
              drop index CLASS.PROP          drop index CLASS(PROP, ...)
              link CLASS.PROP = FIELD:CLASS.TARGET
              link CLASS.PROP = (FIELD, ...):CLASS.(TARGET, ...)

            All changes run in the given order, in one transaction. A value converts only if \
            nothing is lost: a number to a numeric type that holds exactly that number, 0 and 1 to \
            Bool, any value to String and back if it prints as the same text (Data as base64, \
            dates as ISO 8601), a single value to Any and back, and a list without duplicates to a \
            set. The first value that does not convert is an error that names its object.
            """,
        version: ProgramVersion.text)

    @Argument(help: ArgumentHelp("The database.", valueName: "FILE"))
    var file: String

    @Argument(help: ArgumentHelp("A change; see above.", valueName: "CHANGE"))
    var changes: [String] = []

    @Flag(name: .long, help: "Run all changes, report them, and roll them back.")
    var dryRun = false

    @OptionGroup var noting: NoteOptions
    @OptionGroup var reporting: ReportOptions

    @OptionGroup var waiting: WaitOptions
    @OptionGroup var progress: ProgressOptions
    @OptionGroup var ending: TimeoutOptions
    @OptionGroup var common: CommonOptions
}
