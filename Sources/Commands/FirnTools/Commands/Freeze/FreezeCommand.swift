import ArgumentParser
import FirnEngine
import FirnFormats
import FirnValues

/// `firn freeze`: names versions, lists and drops freezes, and copies versions.
struct FreezeCommand: LimitedSubcommand {
    typealias Run = FreezeRun

    static let configuration = CommandConfiguration(
        commandName: "freeze", _superCommandName: "firn",
        abstract: "Name a version to keep it readable, or copy it to a file.",
        usage: """
            firn freeze FILE NAME [--at VERSION] [--expires SPAN|never] [--note TEXT]
            firn freeze FILE -o OUT [--at VERSION|NAME|@-N]
            firn freeze FILE --list | --drop NAME... | --exists NAME | --thaw NAME
            """,
        discussion: """
            Examples:
              firn freeze app.firn before-import --expires 7d --note "the old prices"
              firn query app.firn --at before-import 'Person age > 30'
              firn freeze app.firn --at before-import -o backup.firn
              firn freeze app.firn --thaw before-import
              firn freeze app.firn --drop before-import

            A freeze costs one commit, regardless of the size of the data. Data that changes \
            afterwards is kept twice until the freeze is dropped or expires; --list shows how \
            many bytes each freeze holds. A copy is a separate, compact database without freezes.
            """,
        version: ProgramVersion.text)

    @Argument(help: ArgumentHelp("The database.", valueName: "FILE"))
    var file: String

    @Argument(help: ArgumentHelp("The name of the freeze.", valueName: "NAME"))
    var names: [String] = []

    @Option(
        name: .customLong("at"),
        help: ArgumentHelp(
            "The version: its number, the name of a freeze, or @-N for N commits back (default: "
                + "the newest).",
            valueName: "VERSION|NAME|@-N"))
    var version: VersionArgument?

    @Option(
        name: .long,
        help: ArgumentHelp(
            "Drop the freeze automatically after this time: \(TimeSpan.forms), or never.",
            valueName: "DURATION"))
    var expires: Expiry?

    @Option(name: .long, help: ArgumentHelp("A note that --list shows.", valueName: "TEXT"))
    var note: String?

    @Option(
        name: .shortAndLong,
        help: ArgumentHelp(
            "Copy the version to a new database; the file must not exist.",
            valueName: "OUT"))
    var output: String?

    @Flag(name: .long, help: "List the freezes and the bytes that each holds.")
    var list = false

    @Flag(name: .long, help: "Drop the freezes with these names.")
    var drop = false

    @Flag(name: .long, help: "Test for a freeze: exit with 0 if it exists, with 1 if not.")
    var exists = false

    @Flag(
        name: .long,
        help: "Restore all objects to that version, in one commit.")
    var thaw = false

    @Option(
        name: .shortAndLong,
        help: "The report: auto (text on a terminal, otherwise ndjson), text, json or ndjson.")
    var format: RecordFormat = .auto

    @OptionGroup var waiting: WaitOptions
    @OptionGroup var progress: ProgressOptions
    @OptionGroup var ending: TimeoutOptions
    @OptionGroup var common: CommonOptions

    mutating func validate() throws {
        let modes = [list, drop, exists, thaw, output != nil]
        guard modes.filter({ $0 }).count <= 1 else {
            throw ValidationError("--list, --drop, --exists, --thaw and -o cannot be combined")
        }
        if list || drop || exists || thaw, version != nil {
            throw ValidationError("--at needs a new freeze or -o")
        }
        if modes.contains(true), expires != nil || note != nil {
            throw ValidationError("--expires and --note need a new freeze")
        }
        try validateNames()
    }

    private func validateNames() throws {
        if list, !names.isEmpty { throw ValidationError("--list takes no name") }
        if output != nil, let name = names.first {
            throw ValidationError("-o copies a version: choose it with --at \(name)")
        }
        guard !list, output == nil else { return }
        if names.isEmpty {
            throw ValidationError("no name given: give a NAME, --list or -o OUT")
        }
        if drop { return }
        guard names.count == 1 else {
            throw ValidationError("expected one name, not several: \(names.joined(separator: " "))")
        }
        if exists { return }
        if thaw {
            guard names.first.flatMap(VersionReference.init(text:)) != nil else {
                throw ValidationError("--thaw takes the name of a freeze, a version or @-N")
            }
            return
        }
        if let problem = names.first.flatMap({ Freeze.problem(withName: $0) }) {
            throw ValidationError("the name of a freeze \(problem)")
        }
    }

    /// The work that the arguments request.
    enum Action {
        /// Names a version.
        case make(String)
        /// Copies a version to a new database.
        case copy(to: String)
        case list
        case drop([String])
        case exists(String)
        /// Restores a version, which the user named.
        case thaw(String, VersionReference)
    }

    var action: Action {
        // The validation guarantees that there is a name, and that a version to thaw is valid.
        let name = names.first ?? ""
        if list { return .list }
        if let output { return .copy(to: output) }
        if drop { return .drop(names) }
        if thaw { return .thaw(name, VersionReference(text: name) ?? .freeze(name)) }
        return exists ? .exists(name) : .make(name)
    }
}

/// `7d` or `never`.
enum Expiry: ExpressibleByArgument, Hashable {
    case never
    case after(TimeSpan)

    init?(argument: String) {
        if argument == "never" {
            self = .never
        } else if let span = TimeSpan(argument: argument), span.nanoseconds > 0 {
            self = .after(span)
        } else {
            return nil
        }
    }

    /// Returns the second since 1970 at which the freeze expires.
    func seconds(from now: Int64) -> Int64? {
        switch self {
        case .never: nil
        case .after(let span):
            now.addingReportingOverflow(Int64(clamping: span.seconds)).overflow
                ? .max : now + Int64(clamping: span.seconds)
        }
    }
}
