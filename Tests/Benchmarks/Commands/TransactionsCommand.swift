import ArgumentParser

/// `firn-bench transactions`: the cost of transactions inside the engine.
struct TransactionsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "transactions",
        abstract: "Measure creating, changing and finding objects, without the log.")

    @Argument(
        help: ArgumentHelp(
            "A folder for the database; one in memory leaves the disk out.", valueName: "FOLDER"))
    var folder: String

    @Option(help: "How often to repeat; long work is repeated a tenth as often.")
    var runs = 30

    mutating func validate() throws {
        if runs < 1 { throw ValidationError("--runs must be at least 1") }
    }

    mutating func run() throws {
        let benchmarks = try TransactionBenchmarks(folder: folder)
        let repetitions = Repetitions(runs: runs)
        print(MeasurementTable.text(try benchmarks.all.map { try $0.measure(repetitions) }))
        try benchmarks.cleanUp()
    }
}
