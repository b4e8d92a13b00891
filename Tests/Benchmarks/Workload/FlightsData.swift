import FirnEngine
import FirnPlatform
import FirnQuery
import FirnTesting

/// The flights as CSV and as a database, and a folder for all files made from them.
final class FlightsData {
    static let className = "Flight"

    let csv: String
    /// A database of Firn with the flights.
    let database: String
    /// Removed at the end.
    let folder = TemporaryFolder()
    let rowCount: Int

    /// - Parameter database: an existing one to use; otherwise it is created from the CSV.
    init(folder source: String, database existing: String?) throws {
        csv = "\(source)/flights.csv"
        if let existing {
            database = existing
        } else {
            database = folder("flights.firn")
            Console.note("importing \(csv)")
            try FirnSession.importing(csv, into: database)
        }
        let snapshot = try Database.open(database, readOnly: true).snapshot()
        guard let schema = snapshot.schema.classNamed(FlightsData.className),
            let table = snapshot.snapshot.table(schema.id)
        else { throw ProgramError("\(database) has no class \(FlightsData.className)") }
        rowCount = table.liveRowCount
    }
}
