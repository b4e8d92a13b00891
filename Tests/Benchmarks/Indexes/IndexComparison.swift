import FirnPlatform
import FirnTesting

/// Making and using indexes, by all contestants in turns.
struct IndexComparison {
    let contestants: [IndexContestant]
    let runs: Int
    private let folder = TemporaryFolder()
    private let files = SystemFileSystem()
    private let process: PeerProcess

    init(_ contestants: [IndexContestant], runs: Int) {
        self.contestants = contestants
        self.runs = runs
        process = PeerProcess(home: folder.path)
    }

    func rows() throws -> [ComparisonRow] {
        let csv = folder("person.csv")
        var text = "id,name,age\n"
        for number in 0..<IndexWork.objectCount {
            let age = number * 31_337 % IndexWork.objectCount
            text += "\(number),\(IndexWork.name(number)),\(age)\n"
        }
        try DatabaseImage.put(Array(text.utf8), at: csv)
        Console.note("importing")
        for contestant in contestants {
            _ = try process.run(contestant.importing(csv, into: contestant.database(in: folder)))
        }
        return try ["name", "age"].flatMap(building) + (try IndexWork.allCases.map(using))
            + [try single()]
    }

    /// Builds an index in copies of the databases, and at last in the databases themselves.
    private func building(_ column: String) throws -> [ComparisonRow] {
        Console.note("making an index of \(column) in turns")
        var samples = contestants.map { _ in [UInt64]() }
        var sizes = contestants.map { _ in UInt64(0) }
        for round in 0..<runs {
            for (index, contestant) in contestants.enumerated() {
                let database = contestant.database(in: folder)
                let isLast = round == runs - 1
                let used = isLast ? database : folder("copy.db")
                if !isLast {
                    _ = try process.run(
                        Invocation(executable: "/bin/cp", arguments: [database, used]))
                }
                let before = try size(used)
                samples[index].append(
                    try process.run(contestant.indexing(column, of: used)).nanoseconds)
                sizes[index] = try size(used) - min(try size(used), before)
                if !isLast { try files.remove(used) }
            }
        }
        return [
            ComparisonRow(
                "index of 1 M values of \(column), whole process", unit: .time,
                samples.map(Statistics.init)),
            ComparisonRow(
                "growth of the file", unit: .bytes, sizes.map { Statistics(constant: $0) }),
        ]
    }

    private func size(_ path: String) throws -> UInt64 { try files.status(of: path)?.size ?? 0 }

    /// Measures a session of statements, less one of a single statement.
    private func using(_ work: IndexWork) throws -> ComparisonRow {
        Console.note("asking in turns: \(work.rawValue)")
        var samples = contestants.map { _ in [UInt64]() }
        for _ in 0..<runs {
            for (index, contestant) in contestants.enumerated() {
                let database = contestant.database(in: folder)
                let all = try process.run(
                    contestant.asking(work, of: database, count: work.count + 1)
                ).nanoseconds
                let one = try process.run(contestant.asking(work, of: database, count: 1))
                    .nanoseconds
                samples[index].append((all - min(all, one)) / UInt64(work.count))
            }
        }
        return ComparisonRow(
            "\(work.rawValue), one of \(work.count) in a session", unit: .time,
            samples.map(Statistics.init))
    }

    private func single() throws -> ComparisonRow {
        let samples = try contestants.map { contestant in
            try (0..<max(10, runs)).map { _ in
                try process.run(
                    contestant.asking(.lookup, of: contestant.database(in: folder), count: 1)
                ).nanoseconds
            }
        }
        return ComparisonRow(
            "lookup of a text, whole process", unit: .time, samples.map(Statistics.init))
    }
}
