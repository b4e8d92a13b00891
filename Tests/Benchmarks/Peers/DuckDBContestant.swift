import FirnTesting

/// DuckDB's shell with a number of threads.
final class DuckDBContestant: Contestant {
    let name: String
    let process: PeerProcess
    let database: String
    private let executable: String
    private let threadCount: Int
    private let data: FlightsData

    init(executable: String, threadCount: Int, _ data: FlightsData) {
        name = "duckdb t=\(threadCount)"
        self.executable = executable
        self.threadCount = threadCount
        self.data = data
        process = PeerProcess(home: data.folder.path)
        database = data.folder("peer\(threadCount).duckdb")
    }

    private var threads: String { "PRAGMA threads=\(threadCount);" }

    func probe() throws {
        _ = try process.run(Invocation(executable: executable, arguments: ["--version"]))
    }

    func making(_ path: String) -> Invocation {
        command(
            [path], "CREATE TABLE flights AS SELECT * FROM read_csv(\(quoted(data.csv)))")
    }

    func asking(_ query: FlightsQuery) -> Invocation {
        command(["-readonly", "-csv", "-noheader", database], query.duckdb)
    }

    func exporting(_ format: ExportFormat, to path: String) -> Invocation {
        let options = format == .csv ? "FORMAT csv, HEADER" : "FORMAT json"
        return command(["-readonly", database], "COPY flights TO \(quoted(path)) (\(options))")
    }

    private func command(_ options: [String], _ statement: String) -> Invocation {
        Invocation(
            executable: executable,
            arguments: ["-no-init", "-batch", "-bail"] + options + [
                "-c", "\(threads) \(statement)",
            ])
    }

    func warmSamples(_ query: FlightsQuery, count: Int) throws -> [UInt64] {
        // The timer shows milliseconds, and a query may take one.
        let script = TimedScript(query.duckdb, statementsPerLine: 20, lines: count)
        let result = try process.run(
            Invocation(
                executable: executable,
                arguments: ["-no-init", "-batch", "-bail", "-readonly", database],
                input: script.text(before: "\(threads)\n.mode csv\n.headers off\n")))
        return try script.samples(result.output)
    }
}
