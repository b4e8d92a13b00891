import ArgumentParser
import FirnEngine
import FirnPlatform
import FirnValues

/// `firn alter`: changes classes and properties.
struct AlterCommand: LimitedSubcommand {
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

    @OptionGroup var reporting: ReportOptions

    @OptionGroup var waiting: WaitOptions
    @OptionGroup var ending: TimeoutOptions
    @OptionGroup var common: CommonOptions

    func run(in environment: CommandEnvironment) throws(CommandFailure) -> ExitStatus {
        let start = environment.services.clock.monotonicNanoseconds()
        var parser = try SchemaChangeParser(changes)
        let wanted = try parser.changes()
        guard !wanted.isEmpty else {
            throw .diagnostic(
                .usage("no change given", remedy: SchemaChangeText.usage()))
        }
        return try WritableDatabase.with(file, wait: waiting.span(environment), environment) {
            (database) throws(CommandFailure) in
            try alter(database, wanted, start, environment)
            return .ok
        }
    }

    private func alter(
        _ database: WritableDatabase, _ wanted: [SchemaChangeText], _ start: UInt64,
        _ environment: CommandEnvironment
    ) throws(CommandFailure) {
        let transaction = try database.begin()
        let previous = try database.version(of: transaction)
        var run = SchemaChangeRun(transaction: transaction, file: file)
        for change in wanted {
            try environment.checkSignals()
            try run.run(change)
        }
        var version = previous
        let bytes: UInt64
        do throws(StoreError) {
            if !dryRun { version = try transaction.commit() }
            bytes = try database.store.fileStatus().size
        } catch { throw database.failure(error) }
        guard !common.quiet else { return }
        let elapsed = environment.services.clock.monotonicNanoseconds() &- start
        let report =
            reporting.format.isText(environment)
            ? text(wanted.count, run.deletedCount, version, bytes)
            : json(wanted.count, run.deletedCount, version, previous, bytes, elapsed)
        guard !dryRun else { return try environment.print(report) }
        try environment.printReport(
            report,
            of: "committed version \(version.rawValue) of \(SafeText.escaping(file))")
    }

    private func text(_ count: Int, _ deleted: UInt64, _ version: LSN, _ bytes: UInt64) -> String {
        "\(dryRun ? "would change" : "changed") \(SafeText.escaping(file)): "
            + "\(Formatting.count(UInt64(count), "change")), "
            + (deleted > 0 ? "\(Formatting.count(deleted, "object")) deleted, " : "")
            + "version \(version.rawValue), "
            + "\(Formatting.bytes(bytes))\n"
    }

    private func json(
        _ count: Int, _ deleted: UInt64, _ version: LSN, _ previous: LSN, _ bytes: UInt64,
        _ nanoseconds: UInt64
    ) -> String {
        var json = JSONObject()
        json.add("v", 1)
        json.add("type", "alter")
        json.add("file", file)
        json.add("version", Int64(clamping: version.rawValue))
        json.add("prev", Int64(clamping: previous.rawValue))
        json.add("changes", Int64(count))
        json.add("deleted", Int64(clamping: deleted))
        if dryRun { json.add("dryRun", true) }
        json.add("bytes", Int64(clamping: bytes))
        json.add("seconds", nanoseconds: nanoseconds)
        return json.text + "\n"
    }
}
