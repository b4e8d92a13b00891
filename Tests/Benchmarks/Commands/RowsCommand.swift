import ArgumentParser
import FirnTesting

/// `firn-bench rows`: the measurement that chooses how many rows a row group has.
struct RowsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rows",
        abstract: "Measure what the number of rows per row group costs and gains.")

    @Argument(help: ArgumentHelp("The folder that holds flights.csv.", valueName: "FOLDER"))
    var folder: String

    @Option(help: "How often to repeat; the imports are repeated a tenth as often.")
    var runs = 30

    @Option(name: .customLong("sizes"), help: "Rows per row group, separated by commas.")
    var sizesText = "4096,16384,32768,65536"

    mutating func validate() throws {
        if runs < 1 { throw ValidationError("--runs must be at least 1") }
        guard let sizes, sizes.allSatisfy({ 1...65_536 ~= $0 }) else {
            throw ValidationError("--sizes wants numbers of 1 to 65536, separated by commas")
        }
    }

    private var sizes: [Int]? {
        let parts = sizesText.split(separator: ",", omittingEmptySubsequences: false)
        let numbers = parts.compactMap { Int($0) }
        return numbers.count == parts.count ? numbers : nil
    }

    mutating func run() throws {
        let comparison = RowGroupComparison(csv: "\(folder)/flights.csv", sizes: sizes ?? [])
        print(try comparison.run(Repetitions(runs: runs)))
    }
}
