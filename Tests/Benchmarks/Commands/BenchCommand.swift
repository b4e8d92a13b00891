import ArgumentParser

/// `firn-bench`: measures without judging, because times depend on the machine.
struct BenchCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "firn-bench",
        abstract: "Measure the engine and the commands, alone or against other databases.",
        subcommands: [
            FlightsCommand.self, RowsCommand.self, TransactionsCommand.self, CommitsCommand.self,
            ObjectsCommand.self, MigrationsCommand.self, LiveCommand.self,
            ObserveLatencyCommand.self, ShellCommand.self, ScaleCommand.self, IndexesCommand.self,
            WorkerCommand.self,
        ],
        defaultSubcommand: FlightsCommand.self)
}
