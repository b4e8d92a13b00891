import ArgumentParser
import FirnTesting

/// `firn-bench scale`: the same works on tables of several sizes, beside sqlite3 and DuckDB, on one
/// core and on all.
struct ScaleCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "scale",
        abstract: "Measure how works grow with the number of rows of FOLDER/lineitem.csv.",
        discussion: """
            Each work is a process of its own. Files lineitem-ROWS.csv are made in the folder, and \
            kept: 128 bytes per row. The databases are in a temporary folder while it runs.
            """)

    @Argument(help: ArgumentHelp("The folder that holds lineitem.csv.", valueName: "FOLDER"))
    var folder: String

    @Option(help: "A number of rows; repeatable. (default: 1000000, 10000000 and 60000000)")
    var rows: [Int] = []

    @Option(help: "Measure only works that have this text in their names.")
    var filter: String?

    @Option(help: "How often to repeat a query; the fastest run counts.")
    var runs = 3

    @Option(help: "Leave out a program, firn, sqlite3 or duckdb; repeatable.")
    var without: [String] = []

    @OptionGroup var programs: ProgramOptions

    mutating func validate() throws {
        if runs < 1 { throw ValidationError("--runs must be at least 1") }
        if rows.contains(where: { $0 < 1 }) { throw ValidationError("--rows must be at least 1") }
        if let name = without.first(where: { ScaleContestant.Program(rawValue: $0) == nil }) {
            throw ValidationError("--without knows firn, sqlite3 and duckdb, not \(name)")
        }
    }

    mutating func run() throws {
        let rowCounts = rows.isEmpty ? [1_000_000, 10_000_000, 60_000_000] : rows.sorted()
        let tables = try rowCounts.map { try ScaleData(rowCount: $0, in: folder) }
        let wanted = filter?.lowercased() ?? ""
        let comparison = ScaleComparison(try contestants(), runs: runs) { name in
            wanted.isEmpty || name.lowercased().contains(wanted)
        }
        print(GrowthTable.text(try comparison.run(tables), rowCounts: rowCounts))
        print("- the memory of a process counts as at least that of firn-bench itself")
        for remark in comparison.remarks { print("- \(remark)") }
    }

    private func contestants() throws -> [ScaleContestant] {
        let taskset = ExecutableSearch.find("taskset")
        if taskset == nil { Console.note("without taskset, all cores are used") }
        let found: [(ScaleContestant.Program, String?)] = [
            (.firn, try programs.firnPath()),
            (.sqlite3, programs.sqlitePath),
            (.duckdb, programs.duckdbPath),
        ]
        return found.flatMap { program, executable -> [ScaleContestant] in
            guard !without.contains(program.rawValue) else { return [] }
            guard let executable else {
                Console.note("\(program) is not in the search path: compared without it")
                return []
            }
            return ScaleContestant.on(program, executable, taskset: taskset)
        }
    }
}
