import ArgumentParser
import FirnEngine
import FirnQuery
import FirnReplication
import FirnValues

/// The classes of a file that can be replicated.
struct ReplicatedClasses: ParsableArguments {
    @OptionGroup var file: FileArgument

    @Option(
        name: .customLong("class"),
        help: ArgumentHelp("Only this class; may be repeated.", valueName: "CLASS"))
    var names: [String] = []

    @Option(
        name: .long,
        help: ArgumentHelp(
            "The change that prevails: last-writer, first-writer or arrival; may be repeated.",
            valueName: "CLASS=MODE"))
    var conflicts: [String] = []

    @Option(
        name: .customLong("counter"),
        help: ArgumentHelp(
            "An Int whose changes are added up; may be repeated.", valueName: "CLASS.PROPERTY"))
    var counters: [String] = []

    @Flag(help: "Keep values out by constraints that files cannot have, such as infinite dates.")
    var checks = false

    func rules() throws -> TextMap<ConflictRules> {
        var rules: TextMap<ConflictRules> = [:]
        for text in conflicts {
            let parts = text.split(separator: "=", maxSplits: 1)
            guard parts.count == 2, let mode = ConflictRules.Mode(rawValue: String(parts[1])) else {
                let modes = ConflictRules.Mode.allCases.map(\.rawValue).joined(separator: ", ")
                throw SyncFailure.end(
                    "invalid --conflicts \(text)", "write CLASS=MODE, with one of: \(modes)", 64)
            }
            rules[String(parts[0]), default: ConflictRules()].mode = mode
        }
        for text in counters {
            let parts = text.split(separator: ".", maxSplits: 1)
            guard parts.count == 2 else {
                throw SyncFailure.end("invalid --counter \(text)", "write CLASS.PROPERTY", 64)
            }
            rules[String(parts[0]), default: ConflictRules()].counters =
                (rules[String(parts[0])]?.counters ?? []).union([String(parts[1])])
        }
        return rules
    }

    /// Returns the chosen classes of the file, and reports those that cannot be replicated.
    func chosen(of database: Database) throws -> [SyncedClass] {
        let schema = try SyncFailure.converting { () throws(StoreError) in
            try database.snapshot().schema
        }
        let (synced, refused) = SyncedClass.classes(of: schema)
        for name in names where !synced.contains(where: { $0.name == name }) {
            if let reason = refused.first(where: { $0.name == name }) {
                throw SyncFailure.failure(reason.error)
            }
            throw SyncFailure.end("\(file.file) has no class \(name)", nil, 66)
        }
        for (_, error) in refused where names.isEmpty {
            SyncOutput.report("left out: \(error.detail)\n")
            if let remedy = error.remedy { SyncOutput.report("  \(remedy)\n") }
        }
        let chosen = synced.filter { names.isEmpty || names.contains($0.name) }
        guard !chosen.isEmpty else {
            throw SyncFailure.end("\(file.file) has no class that can be replicated", nil, 65)
        }
        return chosen
    }
}

/// `firn sync ddl`: prints the SQL for a server.
struct DefinitionCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "ddl",
        abstract: "Print the SQL that prepares a server for the classes of a file.")

    @OptionGroup var classes: ReplicatedClasses

    func run() throws {
        let chosen = try classes.chosen(of: try classes.file.open(readOnly: true))
        let rules = try classes.rules()
        let script = try SyncFailure.run { () throws(UpstreamError) in
            try ServerScript(chosen, rules: rules, hasChecks: classes.checks)
        }
        SyncOutput.print(script.text)
    }
}

/// `firn sync init`: prepares a server.
struct InitCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "init",
        abstract: "Prepare a server for the classes of a file, or bring it up to date with them.",
        discussion: """
            With --adopt, tables of other programs become classes of the file, which is created if it \
            does not exist: --adopt customer,orders or --adopt 'sales.*,customer=Client'. The tables \
            get triggers, and stay otherwise as they are. See the plan with: firn sync schema URL.
            """)

    @OptionGroup var classes: ReplicatedClasses

    @Argument(
        help: ArgumentHelp("The connection string or URL, without a password.", valueName: "URL"))
    var address: String

    @Option(
        help: ArgumentHelp(
            "Tables of other programs to replicate, separated by commas; may be repeated.",
            valueName: "TABLES"))
    var adopt: [String] = []

    func run() throws {
        guard adopt.isEmpty else { return try adoptTables() }
        let database = try classes.file.open(readOnly: true)
        let chosen = try classes.chosen(of: database)
        let rules = try classes.rules()
        let notes = try SyncFailure.run { () throws(UpstreamError) in
            try Upstream.prepareServer(
                for: database, at: address, classes: chosen, rules: rules,
                hasChecks: classes.checks)
        }
        for note in notes { SyncOutput.report("\(SafeText.escaping(note))\n") }
        SyncOutput.report("the server is prepared\n")
    }

    private func adoptTables() throws {
        let plan = try SyncFailure.run { () throws(UpstreamError) in
            try Upstream.adopt(
                adopt.flatMap { $0.split(separator: ",").map(String.init) }, at: address)
        }
        try plan.report()
        let database = try classes.file.openOrCreate()
        try SyncFailure.run { () throws(UpstreamError) in try plan.addClasses(to: database) }
        SyncOutput.report(
            "the server is prepared; choose objects with: firn sync attach \(classes.file.file) URL "
                + "QUERY\n")
    }
}

/// `firn sync schema`: shows what the tables of a server would become.
struct SchemaCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "schema",
        abstract: "Show the classes that the tables of a server would become.")

    @Argument(
        help: ArgumentHelp("The connection string or URL, without a password.", valueName: "URL"))
    var address: String

    @Argument(help: ArgumentHelp("The tables; by default all that are public.", valueName: "TABLE"))
    var tables: [String] = ["*"]

    func run() throws {
        let plan = try SyncFailure.run { () throws(UpstreamError) in
            try Upstream.adoptionPlan(of: tables, at: address)
        }
        try plan.report()
    }
}

extension AdoptionPlan {
    /// Prints the classes, and the tables that are left out.
    fileprivate func report() throws {
        for line in lines { SyncOutput.print(SafeText.escaping(line) + "\n") }
        for error in refused {
            SyncOutput.report("left out: \(SafeText.escaping(error.detail))\n")
            if let remedy = error.remedy { SyncOutput.report("  \(SafeText.escaping(remedy))\n") }
        }
        guard lines.isEmpty else { return }
        throw SyncFailure.end("there is no table that can be replicated", nil, 65)
    }
}
