import ArgumentParser
import FirnPlatform
import FirnTesting
import FirnTools

/// `firn-bench flights`: queries, import and export of the flights, in this process and, with
/// `--peers`, as whole processes compared with those of other databases.
struct FlightsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "flights",
        abstract: "Measure queries, import and export of FOLDER/flights.csv.")

    @Argument(help: ArgumentHelp("The folder that holds flights.csv.", valueName: "FOLDER"))
    var folder: String

    @Option(help: "Measure only what has this text in its name.")
    var filter: String?

    @Option(help: "How often to repeat a query; import and export are repeated a tenth as often.")
    var runs = 30

    @Flag(help: "Compare with sqlite3 and DuckDB in the same run.")
    var peers = false

    @Flag(help: "Report as JSON, with every number in nanoseconds or bytes.")
    var json = false

    @Option(help: "A database of the flights to use instead of making one.")
    var database: String?

    @OptionGroup var programs: ProgramOptions

    mutating func validate() throws {
        if runs < 1 { throw ValidationError("--runs must be at least 1") }
    }

    mutating func run() throws {
        let repetitions = Repetitions(runs: runs)
        let data = try FlightsData(folder: folder, database: database)
        var report = JSONReport(rowCount: data.rowCount)
        let benchmarks = try FlightsBenchmarks(data).all.filter { isWanted($0.name) }
        var measurements: [Measurement] = []
        for benchmark in benchmarks {
            Console.note("measuring \(benchmark.name)")
            measurements.append(try benchmark.measure(repetitions))
        }
        report.add(measurements)
        if !json { print(MeasurementTable.text(measurements)) }
        if peers {
            let contestants = try findContestants(data)
            let comparison = PeerComparison(
                contestants, data, repetitions: repetitions, isWanted: isWanted)
            let rows = try comparison.run()
            report.add(rows, contestants: contestants.map(\.name))
            if !json {
                print(ComparisonTable.text(rows, contestants: contestants.map(\.name)))
                for remark in comparison.remarks { print("- \(remark)") }
            }
            for remark in comparison.remarks { report.add(remark: remark) }
        }
        if json { print(report.text) }
    }

    private func isWanted(_ name: String) -> Bool {
        guard let filter else { return true }
        return filter.isEmpty || name.lowercased().contains(filter.lowercased())
    }

    /// Firn comes first: the ratios are relative to the first contestant.
    private func findContestants(_ data: FlightsData) throws -> [any Contestant] {
        let firn = try FirnContestant(
            executable: try programs.firnPath(), data)
        var contestants: [any Contestant] = [firn]
        if let path = programs.sqlitePath {
            contestants.append(SqliteContestant(executable: path, data))
        } else {
            Console.note("sqlite3 is not in the search path: compared without it")
        }
        if let path = programs.duckdbPath {
            for threadCount in Set([1, Environment.processorCount]).sorted() {
                contestants.append(
                    DuckDBContestant(executable: path, threadCount: threadCount, data))
            }
        } else {
            Console.note("duckdb is not in the search path (see --duckdb): compared without it")
        }
        return contestants.filter { contestant in
            do {
                try contestant.probe()
                return true
            } catch {
                Console.note("\(contestant.name) does not run, compared without it: \(error)")
                return false
            }
        }
    }
}
