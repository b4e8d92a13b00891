import ArgumentParser
import FirnPlatform
import FirnTesting

/// `firn-bench commits`: the cost of durability, compared with the disk itself and, with `--peers`,
/// with other databases.
struct CommitsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "commits",
        abstract: "Measure durable commits, and reading and opening beside them.")

    @Argument(
        help: ArgumentHelp(
            "The folder that holds lineitem.csv; without it, no large file is opened.",
            valueName: "FOLDER"))
    var folder: String?

    @Option(help: "Measure only what has this text in its name.")
    var filter: String?

    @Option(help: "How often each contestant has its turn.")
    var runs = 30

    @Flag(help: "Compare with sqlite3 and DuckDB in the same run, by their modules for Python.")
    var peers = false

    @Flag(help: "Report as JSON, with every number in nanoseconds.")
    var json = false

    @Option(help: "A large database to open instead of making one; some of its values change.")
    var database: String?

    @OptionGroup var programs: ProgramOptions

    @Option(help: "The python3 command with the module duckdb; otherwise that of the search path.")
    var python: String?

    mutating func validate() throws {
        if runs < 1 { throw ValidationError("--runs must be at least 1") }
    }

    mutating func run() throws {
        let run = try CommitsRun(
            tools: CommitsRun.Tools(
                firn: try programs.firnPath(),
                own: try builtExecutable(named: "firn-bench"),
                sqlite: peers ? programs.sqlitePath : nil,
                duckdb: peers ? programs.duckdbPath : nil,
                python: peers ? python ?? ExecutableSearch.find("python3") : nil),
            rounds: runs, isWanted: isWanted)
        var rows = try run.compare()
        let tails = LogTail.Kind.allCases.filter { isWanted(LogTail.work($0)) }
        if !tails.isEmpty, let path = try largeDatabase(run.folder) {
            for kind in tails {
                rows += try LogTail.compare(
                    path, kind, samples: runs, columns: run.names.count)
            }
        }
        guard json else { return print(ComparisonTable.text(rows, contestants: run.names)) }
        var report = JSONReport(rowCount: CommitWork.populationCount)
        report.add(rows, contestants: run.names)
        print(report.text)
    }

    private func largeDatabase(_ temporary: TemporaryFolder) throws -> String? {
        if let database { return database }
        guard let folder else { return nil }
        let path = temporary("large.firn")
        Console.note("importing \(folder)/lineitem.csv")
        try FirnSession.importing("\(folder)/lineitem.csv", into: path)
        return path
    }

    private func isWanted(_ name: String) -> Bool {
        guard let filter else { return true }
        return filter.isEmpty || name.lowercased().contains(filter.lowercased())
    }
}
