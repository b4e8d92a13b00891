import ArgumentParser

/// `firn-bench live`: the cost of keeping the results of queries up to date.
struct LiveCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "live",
        abstract: "Measure how results follow commits, by their size and by their number.")

    @Argument(
        help: ArgumentHelp(
            "A folder for the databases; one in memory leaves the disk out.", valueName: "FOLDER"))
    var folder: String

    @Option(help: "How many commits are followed for each figure.")
    var runs = 100

    @Option(help: "The greatest number of objects.")
    var most = 6_000_000

    mutating func validate() throws {
        if runs < 2 { throw ValidationError("--runs must be at least 2") }
    }

    mutating func run() throws {
        let benchmarks = LiveQueryBenchmarks(folder: folder, runs: runs)
        let sizes = [10_000, 100_000, 1_000_000, 6_000_000].filter { $0 <= most }
        print(try benchmarks.bySize(sizes))
        print(try benchmarks.byQueryCount([1, 100, 1_000], objectCount: 100_000))
    }
}
