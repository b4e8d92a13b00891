/// A measured database and its commands.
protocol Contestant: AnyObject {
    var name: String { get }
    /// The database file with the flights, as ``making(_:)`` created it.
    var database: String { get }
    var process: PeerProcess { get }

    /// Throws an error if the program does not run.
    func probe() throws
    /// Imports the CSV into a new file.
    func making(_ path: String) -> Invocation
    /// Runs one query and prints the answer as CSV without a header.
    func asking(_ query: FlightsQuery) -> Invocation
    /// Writes all flights to a file.
    func exporting(_ format: ExportFormat, to path: String) -> Invocation
    /// Repeats the same query in a database that stays open.
    ///
    /// The shells also print the answers as CSV, a hundred rows at most, which Firn here does not;
    /// whole processes print in all cases.
    ///
    /// - Returns: nanoseconds for one query each.
    func warmSamples(_ query: FlightsQuery, count: Int) throws -> [UInt64]
}

enum ExportFormat: String, CaseIterable {
    case csv
    case ndjson
}

/// A text between single quotes, in SQL syntax.
func quoted(_ text: String) -> String {
    "'" + text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "''") + "'"
}
