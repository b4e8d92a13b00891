import ArgumentParser

/// `firn-bench migrations`: the cost of changing a large class.
struct MigrationsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "migrations",
        abstract: "Measure migrations of 1,000,000 objects, and the same change by firn alter.")

    @Argument(
        help: ArgumentHelp(
            "A folder for the database; one in memory leaves the disk out.", valueName: "FOLDER"))
    var folder: String

    @Option(help: "How often to repeat; a tenth of this.")
    var runs = 30

    mutating func validate() throws {
        if runs < 1 { throw ValidationError("--runs must be at least 1") }
    }

    mutating func run() throws {
        let benchmarks = try MigrationBenchmarks(folder: folder)
        let repetitions = Repetitions(runs: runs)
        let measurements = try benchmarks.all.map { try $0.measure(repetitions) }
        print(MeasurementTable.text(measurements))
        try benchmarks.removeFiles()
    }
}
