import ArgumentParser
import FirnTesting

/// The programs that are compared.
struct ProgramOptions: ParsableArguments {
    @Option(help: "The firn command to compare; otherwise the one beside this program.")
    var firn: String?

    @Option(help: "The sqlite3 command; otherwise the one of the search path.")
    var sqlite: String?

    @Option(help: "The duckdb command; otherwise the one of the search path.")
    var duckdb: String?

    func firnPath() throws -> String { try firn ?? builtExecutable(named: "firn") }

    /// The path of sqlite3; `nil` if it is not found.
    var sqlitePath: String? { sqlite ?? ExecutableSearch.find("sqlite3") }

    /// The path of DuckDB's shell; `nil` if it is not found.
    var duckdbPath: String? { duckdb ?? ExecutableSearch.find("duckdb") }
}
