import FirnTesting

/// SQLite's shell, with default settings and no index.
final class SqliteContestant: Contestant {
    let name = "sqlite3"
    let process: PeerProcess
    let database: String
    private let executable: String
    private let data: FlightsData

    init(executable: String, _ data: FlightsData) {
        self.executable = executable
        self.data = data
        process = PeerProcess(home: data.folder.path)
        database = data.folder("peer.sqlite")
    }

    /// Its import has no null, and text is greater than any number: empty fields must become null
    /// for queries about delays to be right.
    private static let nullable = [
        "dep_time", "dep_delay", "arr_time", "arr_delay", "tailnum", "air_time",
    ]

    private static let schema = """
        CREATE TABLE flights(
            year INTEGER, month INTEGER, day INTEGER, dep_time INTEGER, sched_dep_time INTEGER,
            dep_delay INTEGER, arr_time INTEGER, sched_arr_time INTEGER, arr_delay INTEGER,
            carrier TEXT, flight INTEGER, tailnum TEXT, origin TEXT, dest TEXT, air_time INTEGER,
            distance INTEGER, hour INTEGER, minute INTEGER, time_hour TEXT);
        """

    func probe() throws {
        _ = try process.run(Invocation(executable: executable, arguments: ["--version"]))
    }

    func making(_ path: String) -> Invocation {
        let nulls = SqliteContestant.nullable.map { "\($0) = nullif(\($0), '')" }
        return Invocation(
            executable: executable, arguments: ["-batch", "-bail", path],
            input: """
                \(SqliteContestant.schema)
                .mode csv
                .import --skip 1 \(quoted(data.csv)) flights
                UPDATE flights SET \(nulls.joined(separator: ", ")) \
                WHERE '' IN (\(SqliteContestant.nullable.joined(separator: ", ")));

                """)
    }

    func asking(_ query: FlightsQuery) -> Invocation {
        Invocation(
            executable: executable,
            arguments: ["-batch", "-readonly", "-csv", "-noheader", database, query.sqlite])
    }

    /// Its JSON is one array with a row per line.
    func exporting(_ format: ExportFormat, to path: String) -> Invocation {
        Invocation(
            executable: executable,
            arguments: [
                "-batch", "-readonly", format == .csv ? "-csv" : "-json", "-header", database,
                ".output \(quoted(path))", "SELECT * FROM flights",
            ])
    }

    func warmSamples(_ query: FlightsQuery, count: Int) throws -> [UInt64] {
        // About 40 ms each: two per line are enough for a timer of milliseconds.
        let script = TimedScript(query.sqlite, statementsPerLine: 2, lines: count)
        let result = try process.run(
            Invocation(
                executable: executable, arguments: ["-batch", "-bail", "-readonly", database],
                input: script.text(before: ".mode csv\n.headers off\n")))
        return try script.samples(result.output)
    }
}
