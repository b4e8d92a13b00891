import FirnQuery

/// Runs a query and reads all its rows.
enum QueryRun {
    /// - Returns: the number of rows and the pages read.
    @discardableResult
    static func run(
        _ text: String, _ database: Database
    ) throws -> (rowCount: Int, cost: QueryStatistics) {
        let rows = try database.snapshot().query(text)
        var rowCount = 0
        while let batch = try rows.next() { rowCount += batch.rowCount }
        return (rowCount, rows.statistics)
    }

    /// The same in a database opened for that: nothing is cached, except by the system.
    @discardableResult
    static func runCold(
        _ text: String, _ path: String
    ) throws -> (rowCount: Int, cost: QueryStatistics) {
        try run(text, try Database.open(path, readOnly: true))
    }
}
