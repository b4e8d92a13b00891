import ArgumentParser
import FirnTesting

/// `firn-bench objects`: the cost of the object API.
struct ObjectsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "objects",
        abstract: "Measure adding, reading, finding and changing objects through the API.")

    @Argument(
        help: ArgumentHelp(
            "A folder for the database; one in memory leaves the disk out.", valueName: "FOLDER"))
    var folder: String

    @Option(help: "Measure only what has this text in its name.")
    var filter: String?

    @Option(help: "How often to repeat; long work is repeated a tenth as often.")
    var runs = 30

    @Flag(help: "Compare with sqlite3 in the same run, by its module for Python.")
    var peers = false

    @Option(help: "The python3 command; otherwise that of the search path.")
    var python: String?

    mutating func validate() throws {
        if runs < 1 { throw ValidationError("--runs must be at least 1") }
    }

    mutating func run() throws {
        let works = ObjectWork.allCases.filter(isWanted)
        let benchmarks = try ObjectBenchmarks(folder: folder)
        let repetitions = Repetitions(runs: runs)
        let measurements = try works.map { try benchmarks.benchmark($0).measure(repetitions) }
        print(MeasurementTable.text(measurements))
        if peers { try compare(works, measurements) }
        try benchmarks.cleanUp()
    }

    private func compare(_ works: [ObjectWork], _ measurements: [Measurement]) throws {
        guard let python = python ?? ExecutableSearch.find("python3") else {
            throw ProgramError("there is no python3 in the search path: name it with --python")
        }
        let peer = try ObjectPeer(python: python, folder: folder)
        var rows: [ComparisonRow] = []
        for (work, measurement) in zip(works, measurements) where work.hasPeers {
            let samples = try peer.samples(work, count: measurement.time.count)
            rows.append(
                ComparisonRow(work.title, unit: .time, [measurement.time, Statistics(samples)]))
        }
        try peer.close()
        print(ComparisonTable.text(rows, contestants: ["firn", "sqlite3"]))
    }

    private func isWanted(_ work: ObjectWork) -> Bool {
        guard let filter else { return true }
        return filter.isEmpty || work.title.lowercased().contains(filter.lowercased())
    }
}
