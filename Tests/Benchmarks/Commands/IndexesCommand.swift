import ArgumentParser
import FirnTesting

/// `firn-bench indexes`: making indexes, and finding objects by them, beside sqlite3 and DuckDB.
struct IndexesCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "indexes",
        abstract: "Measure indexes of a million objects.")

    @Option(help: "How often each work is repeated.")
    var runs = 5

    @OptionGroup var programs: ProgramOptions

    mutating func validate() throws {
        if runs < 1 { throw ValidationError("--runs must be at least 1") }
    }

    mutating func run() throws {
        let found: [(ScaleContestant.Program, String?)] = [
            (.firn, try programs.firnPath()), (.sqlite3, programs.sqlitePath),
            (.duckdb, programs.duckdbPath),
        ]
        let contestants = found.compactMap { program, path in
            path.map { IndexContestant(program: program, executable: $0) }
        }
        let rows = try IndexComparison(contestants, runs: runs).rows()
        print(ComparisonTable.text(rows, contestants: contestants.map(\.program.rawValue)))
    }
}
