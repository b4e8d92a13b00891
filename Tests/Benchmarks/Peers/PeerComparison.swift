import FirnPlatform
import FirnTesting

/// The same work by all contestants in turns, A B C A B C: a slow moment of the machine affects
/// all.
final class PeerComparison {
    private let contestants: [any Contestant]
    private let data: FlightsData
    private let repetitions: Repetitions
    private let isWanted: (String) -> Bool
    private let files = SystemFileSystem()
    /// Remarks that a reader of the table needs.
    private(set) var remarks: [String] = []

    init(
        _ contestants: [any Contestant], _ data: FlightsData, repetitions: Repetitions,
        isWanted: @escaping (String) -> Bool
    ) {
        self.contestants = contestants
        self.data = data
        self.repetitions = repetitions
        self.isWanted = isWanted
    }

    func run() throws -> [ComparisonRow] {
        var rows = try importing()
        for query in [.trivial] + FlightsQuery.all where isWanted(query.name) {
            rows.append(try oneShot(query))
        }
        for query in FlightsQuery.all where isWanted(query.name) { rows.append(try warm(query)) }
        for format in ExportFormat.allCases where isWanted("export \(format)") {
            rows.append(try exporting(format))
        }
        try measureFloor()
        return rows
    }

    /// Creates the databases for everything that follows, so it cannot be skipped; it is repeated
    /// only on request.
    private func importing() throws -> [ComparisonRow] {
        let isWanted = isWanted("import csv")
        Console.note("importing in turns")
        let time = try turns(isWanted ? repetitions.heavyRuns : 1) { contestant in
            if try files.status(of: contestant.database) != nil {
                try files.remove(contestant.database)
            }
            return [
                try contestant.process.run(contestant.making(contestant.database)).nanoseconds
            ]
        }
        let sizes = try contestants.map { contestant in
            try files.status(of: contestant.database).map { Statistics(constant: $0.size) }
        }
        guard isWanted else { return [] }
        return [
            ComparisonRow("import csv, whole process", unit: .time, time),
            ComparisonRow("size of the file", unit: .bytes, sizes),
        ]
    }

    private func oneShot(_ query: FlightsQuery) throws -> ComparisonRow {
        Console.note("asking in turns, one process each: \(query.name)")
        let answers = try contestants.map { contestant in
            Answer(try contestant.process.run(contestant.asking(query)).output)
        }
        for (contestant, answer) in zip(contestants, answers) {
            guard let first = answers.first, !first.agrees(with: answer) else { continue }
            remarks.append(
                "\(query.name): \(contestant.name) answers \(answer.summary), not \(first.summary)")
        }
        let samples = try turns(repetitions.runs) { contestant in
            [try contestant.process.run(contestant.asking(query)).nanoseconds]
        }
        return ComparisonRow("\(query.name), whole process", unit: .time, samples)
    }

    private func warm(_ query: FlightsQuery) throws -> ComparisonRow {
        Console.note("asking in turns, warm: \(query.name)")
        let samples = try turns(repetitions.warmRounds) { contestant in
            try contestant.warmSamples(query, count: repetitions.samplesPerRound)
        }
        return ComparisonRow("\(query.name), warm", unit: .time, samples)
    }

    private func exporting(_ format: ExportFormat) throws -> ComparisonRow {
        Console.note("exporting in turns: \(format)")
        let path = data.folder("export.\(format)")
        let samples = try turns(repetitions.heavyRuns) { contestant in
            if try files.status(of: path) != nil { try files.remove(path) }
            let time = try contestant.process.run(
                contestant.exporting(format, to: path)
            ).nanoseconds
            guard let size = try files.status(of: path)?.size, size > UInt64(data.rowCount) else {
                throw ProgramError("\(contestant.name) exported nothing")
            }
            return [time]
        }
        return ComparisonRow("export \(format), whole process", unit: .time, samples)
    }

    /// The cost of starting and ending any process here, which all times of processes include.
    private func measureFloor() throws {
        guard let path = ExecutableSearch.find("true") else { return }
        let process = PeerProcess(home: data.folder.path)
        var samples: [UInt64] = []
        for _ in 0..<repetitions.runs {
            samples.append(
                try process.run(Invocation(executable: path, arguments: [])).nanoseconds)
        }
        guard let time = Statistics(samples) else { return }
        remarks.append("a process that does nothing takes \(Figures.time(time.median))")
    }

    /// All contestants in turns, repeatedly.
    private func turns(
        _ rounds: Int, _ work: (any Contestant) throws -> [UInt64]
    ) throws -> [Statistics?] {
        var samples = contestants.map { _ in [UInt64]() }
        for _ in 0..<rounds {
            for (index, contestant) in contestants.enumerated() {
                samples[index] += try work(contestant)
            }
        }
        return samples.map(Statistics.init)
    }
}
