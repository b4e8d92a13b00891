import ArgumentParser
import FirnTesting

/// `firn-bench shell`: the time that the user of a terminal waits.
struct ShellCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "shell",
        abstract: "Measure the response times of the interactive shell.")

    @Argument(
        help: ArgumentHelp(
            "The folder that holds lineitem.csv, of which the database is made.",
            valueName: "FOLDER"))
    var folder: String

    @Option(help: "How often each wait is measured.")
    var runs = 20

    @Option(help: "The firn command; otherwise the one beside this program.")
    var firn: String?

    mutating func validate() throws {
        if runs < 1 { throw ValidationError("--runs must be at least 1") }
    }

    mutating func run() throws {
        let temporary = TemporaryFolder()
        let database = temporary("large.firn")
        Console.note("importing \(folder)/lineitem.csv")
        try FirnSession.importing("\(folder)/lineitem.csv", into: database)
        let latency = ShellLatency(
            firn: try firn ?? builtExecutable(named: "firn"), database: database, samples: runs)
        print(try latency.table())
    }
}
