import FirnPlatform
import FirnQuery
import FirnTesting

/// The benchmarks that run without other databases.
struct FlightsBenchmarks {
    private let data: FlightsData
    private let database: Database

    init(_ data: FlightsData) throws {
        self.data = data
        database = try Database.open(data.database, readOnly: true)
    }

    var all: [Benchmark] {
        FlightsQuery.all.map(warm) + FlightsQuery.all.map(cold) + [
            importing, exporting("csv"), exporting("ndjson"),
        ]
    }

    private func warm(_ query: FlightsQuery) -> Benchmark {
        let (data, database) = (data, database)
        return Benchmark(
            "\(query.name) (warm)", rowCount: data.rowCount,
            coldCost: { try QueryRun.runCold(query.firn, data.database).cost },
            work: { try QueryRun.run(query.firn, database) })
    }

    private func cold(_ query: FlightsQuery) -> Benchmark {
        let data = data
        return Benchmark(
            "\(query.name) (opened for it)", rowCount: data.rowCount,
            coldCost: { try QueryRun.runCold(query.firn, data.database).cost },
            work: { try QueryRun.runCold(query.firn, data.database) })
    }

    private var importing: Benchmark {
        let data = data
        let path = data.folder("import.firn")
        return Benchmark(
            "import csv", weight: .heavy, rowCount: data.rowCount,
            cleanUp: { try SystemFileSystem().remove(path) },
            work: { try FirnSession.importing(data.csv, into: path) })
    }

    private func exporting(_ format: String) -> Benchmark {
        let data = data
        return Benchmark(
            "export \(format)", weight: .heavy, rowCount: data.rowCount,
            work: { try FirnSession.exporting(data.database, format: format) })
    }
}
