import FirnQuery
import FirnTesting

/// Firn itself: the release binary for whole processes, this process for warm queries.
final class FirnContestant: Contestant {
    let name = "firn"
    let process: PeerProcess
    let database: String
    private let executable: String
    private let data: FlightsData
    private let warmDatabase: Database

    init(executable: String, _ data: FlightsData) throws {
        self.executable = executable
        self.data = data
        process = PeerProcess(home: data.folder.path)
        database = data.folder("peer.firn")
        warmDatabase = try Database.open(data.database, readOnly: true)
    }

    func probe() throws {
        _ = try process.run(Invocation(executable: executable, arguments: ["--version"]))
    }

    func making(_ path: String) -> Invocation {
        Invocation(
            executable: executable,
            arguments: ["create", path, "--from", data.csv, "--class", FlightsData.className, "-q"])
    }

    func asking(_ query: FlightsQuery) -> Invocation {
        Invocation(
            executable: executable,
            arguments: ["query", database, query.firn, "-f", "csv", "--no-header"])
    }

    /// Through standard output, because the others do not sync their files either.
    func exporting(_ format: ExportFormat, to path: String) -> Invocation {
        Invocation(
            executable: executable,
            arguments: [
                "export", database, "-", "-c", FlightsData.className, "-f", format.rawValue, "-q",
            ]
        ).writing(to: path)
    }

    func warmSamples(_ query: FlightsQuery, count: Int) throws -> [UInt64] {
        try QueryRun.run(query.firn, warmDatabase)
        var samples: [UInt64] = []
        for _ in 0..<count {
            samples.append(try Stopwatch.time { _ = try QueryRun.run(query.firn, warmDatabase) })
        }
        return samples
    }
}
