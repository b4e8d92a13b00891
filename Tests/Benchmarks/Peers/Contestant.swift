/// A database that is measured: how it is told what to do.
protocol Contestant: AnyObject {
    var name: String { get }
    /// The database file with the flights that ``making(_:)`` made.
    var database: String { get }
    var process: PeerProcess { get }

    /// Fails if the program does not run at all.
    func probe() throws
    /// Imports the CSV into a new file.
    func making(_ path: String) -> Invocation
    /// Asks one question and prints the answer as CSV without names.
    func asking(_ query: FlightsQuery) -> Invocation
    /// Writes all flights to a file.
    func exporting(_ format: ExportFormat, to path: String) -> Invocation
    /// Asks the same question again and again in a database that stays open.
    ///
    /// The shells also print the answers as CSV, a hundred rows at most, which Firn here does not;
    /// whole processes print in all cases.
    ///
    /// - Returns: nanoseconds for one question each.
    func warmSamples(_ query: FlightsQuery, count: Int) throws -> [UInt64]
}

enum ExportFormat: String, CaseIterable {
    case csv
    case ndjson
}

/// A text between single quotes, as SQL wants it.
func quoted(_ text: String) -> String {
    "'" + text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "''") + "'"
}
