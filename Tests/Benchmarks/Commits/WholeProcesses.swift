import FirnTesting

/// One durable change to a database of people by a process that does nothing else.
///
/// The committers must have closed the databases.
struct WholeProcesses {
    let process: PeerProcess
    /// In the order of the committers; `nil` for one without a command.
    let invocations: [((Int) -> Invocation)?]

    static func firn(_ executable: String, _ database: String) -> (Int) -> Invocation {
        { key in
            Invocation(
                executable: executable,
                arguments: ["write", database, "-q", "-x", "Person id == \(key) | set age = 7"])
        }
    }

    static func sqlite(_ executable: String, _ database: String) -> (Int) -> Invocation {
        { key in
            Invocation(
                executable: executable,
                arguments: [
                    "-batch", "-bail", database,
                    "PRAGMA synchronous=FULL; UPDATE person SET age = 7 WHERE id = \(key)",
                ])
        }
    }

    static func duckDB(_ executable: String, _ database: String) -> (Int) -> Invocation {
        { key in
            Invocation(
                executable: executable,
                arguments: [
                    "-no-init", "-batch", "-bail", database, "-c",
                    "UPDATE person SET age = 7 WHERE id = \(key)",
                ])
        }
    }

    func run(rounds: Int) throws -> ComparisonRow {
        Console.note("writing in turns, one process each")
        var samples = invocations.map { _ in [UInt64]() }
        for round in 0..<rounds {
            let key = People.scattered(round, below: CommitWork.populationCount)
            for (column, invocation) in invocations.enumerated() {
                guard let invocation else { continue }
                samples[column].append(try process.run(invocation(key)).nanoseconds)
            }
        }
        return ComparisonRow(
            "one durable change, whole process", unit: .time, samples.map(Statistics.init))
    }
}
