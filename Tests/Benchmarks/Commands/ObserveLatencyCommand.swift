import ArgumentParser
import FirnTesting

/// `firn-bench observe`: the time until another process notices a commit, and the cost of that
/// process for the writers.
struct ObserveLatencyCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "observe",
        abstract: "Measure the time from a commit to those who watch in other processes.")

    @Option(help: "How many commits are measured.")
    var runs = 1_000

    @Option(help: "The firn command; otherwise the one beside this program.")
    var firn: String?

    mutating func validate() throws {
        if runs < 1 { throw ValidationError("--runs must be at least 1") }
    }

    mutating func run() throws {
        let latency = StreamLatency(
            firn: try firn ?? builtExecutable(named: "firn"), samples: runs)
        print(try latency.table())
        print(try ObserverCost(latency).table())
    }
}
