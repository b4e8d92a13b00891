import FirnEngine
import FirnFormats
import FirnPlatform
import FirnQuery
import FirnValues

/// One run of `create`: plans the contents of the database, and creates it.
struct CreateRun: CommandRun {
    private let options: CreateOptions
    private let line: Progress
    private let environment: CommandEnvironment

    init(_ options: CreateOptions, _ environment: CommandEnvironment) {
        self.options = options
        self.environment = environment
        line = Progress(options.progress, quiet: options.isQuiet, environment)
    }

    /// Returns what is on disk; the database gets its name only when it is complete.
    func stateAfterInterruption() -> String? {
        let isThere = (try? environment.services.files.status(of: options.file)) != nil
        return SafeText.escaping(options.file) + (isThere ? " is complete" : " was not created")
    }

    func run() throws(CommandFailure) -> ExitStatus {
        defer { line.clear() }
        let exists = try exists()
        // Checks that a database can be created here before a long import.
        let creator =
            exists || options.isDryRun ? nil : try DatabaseCreator(options, line, environment)
        let plan = try CreatePlan(options, line, environment)
        if options.isDryRun {
            try environment.print(options.format.text(plan.definitions, environment))
            return .ok
        }
        let report: CreateReport
        var notes = ""
        var rejected: UInt64 = 0
        if let creator {
            let made = try creator.make(plan)
            notes = made.notes
            rejected = made.rejected
            report = CreateReport(
                file: options.file, version: made.version, classes: made.classes, links: made.links,
                bytes: made.bytes, nanoseconds: line.elapsed, rejected: rejected)
        } else {
            report = try existing(plan)
        }
        line.clear()
        let status = rejected > 0 ? ExitStatus.data : .ok
        guard !options.isQuiet else { return status }
        if !notes.isEmpty { environment.note(notes) }
        for link in report.links where link.unmatched > 0 {
            environment.note(link.text + "\n")
        }
        let isText =
            options.format == .text || (options.format == .auto && environment.outputIsTerminal)
        try environment.printReport(
            isText ? report.text : report.json, of: "created \(SafeText.escaping(options.file))")
        return status
    }

    /// Returns whether the file exists; throws if it must not exist.
    private func exists() throws(CommandFailure) -> Bool {
        try CommandFailure.checkName(options.file)
        let status: FileStatus?
        do { status = try environment.services.files.status(of: options.file) } catch {
            throw .diagnostic(Diagnostic(error, "cannot create \(SafeText.escaping(options.file))"))
        }
        guard status != nil else { return false }
        guard !options.isIfMissing else { return true }
        throw CommandFailure(existing: options.file)
    }

    /// Compares the existing database with the planned one.
    private func existing(_ plan: CreatePlan) throws(CommandFailure) -> CreateReport {
        let open = try OpenDatabase(options.file, environment)
        let known = open.snapshot.schema
        for wanted in plan.definitions {
            let found = known.classNamed(wanted.name).map { known.definition(of: $0) }
            guard let found, CreateRun.matches(found, wanted, known) else {
                var diagnostic = Diagnostic(
                    .writeSchema,
                    "\(SafeText.escaping(options.file)) already exists, but its class "
                        + "\(SafeText.escaping(wanted.name)) "
                        + (found == nil ? "is missing" : "differs"))
                diagnostic.file = options.file
                diagnostic.details = found.map { ["found: \(SchemaDocument.json([$0]))"] } ?? []
                diagnostic.details.append("expected: \(SchemaDocument.json([wanted]))")
                diagnostic.remedy = "change the class with: firn alter"
                throw .diagnostic(diagnostic)
            }
        }
        do {
            return CreateReport(
                file: options.file, version: open.snapshot.version, classes: [], links: [],
                bytes: try open.database.store.fileStatus().size, nanoseconds: line.elapsed,
                isSkipped: true)
        } catch { throw CommandFailure(error) }
    }

    /// Returns whether two classes have the same properties, in any order and with any display
    /// format.
    private static func matches(
        _ found: ClassDefinition, _ wanted: ClassDefinition, _ schema: Schema
    ) -> Bool {
        func names(_ definition: ClassDefinition) -> TextMap<String> {
            TextMap(
                definition.properties.map { ($0.name, $0.typeName) }, uniquingKeysWith: { $1 })
        }
        return names(found) == names(wanted) && found.keyName == wanted.keyName
            && found.isEmbedded == wanted.isEmbedded
    }
}
