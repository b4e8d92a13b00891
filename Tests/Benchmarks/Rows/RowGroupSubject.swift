import FirnCodec
import FirnEngine
import FirnPlatform
import FirnQuery
import FirnTesting
import FirnValues

/// A database of the flights with a given number of rows per group, and the work on it.
final class RowGroupSubject {
    /// The cost of work, in time and in bytes.
    struct Cost {
        let nanoseconds: UInt64
        let files: FileCounts
    }

    let rowsPerGroup: Int
    private let path: String
    private let csv: String
    private let files = CountingFileSystem(SystemFileSystem())
    private var warmDatabase: Database?

    init(rowsPerGroup: Int, csv: String, folder: TemporaryFolder) {
        self.rowsPerGroup = rowsPerGroup
        self.csv = csv
        path = folder("rows-\(rowsPerGroup).firn")
    }

    /// Creates the file again.
    func makeFile() throws -> UInt64 {
        if try files.status(of: path) != nil { try files.remove(path) }
        var options = StoreOptions()
        options.rowsPerGroup = rowsPerGroup
        return try Stopwatch.time { try FirnSession.importing(csv, into: path, options: options) }
    }

    func fileSize() throws -> UInt64 { try files.status(of: path)?.size ?? 0 }

    /// A query on a database that is opened for it.
    func scan(_ query: FlightsQuery) throws -> Cost {
        try measured {
            let database = try Database.open(path, readOnly: true, services: files.services)
            try QueryRun.run(query.firn, database)
        }
    }

    /// All properties of one object of a database that is opened for it.
    func point(_ row: RowID) throws -> Cost {
        try measured {
            let snapshot = try Store.open(path, readOnly: true, services: files.services)
                .snapshot()
            let schema = try flights(snapshot.schema)
            guard let (group, index) = try snapshot.table(schema.id)?.locate(row) else {
                throw ProgramError("no object with @id \(row.rawValue)")
            }
            var values: [Value] = []
            for property in schema.properties {
                values.append(try group.column(property).value(at: index))
            }
            guard values.contains(where: { !$0.isNull }) else {
                throw ProgramError("an object without values")
            }
        }
    }

    /// A durable change of one property of one object.
    func update(_ row: RowID, to value: Int64) throws -> Cost {
        let store = try Store.open(path, readOnly: false, services: files.services)
        let schema = try flights(store.snapshot().schema)
        guard let property = schema.propertyNamed("dep_delay") else {
            throw ProgramError("no property dep_delay")
        }
        return try measured {
            let transaction = try store.beginWrite()
            try transaction.set(property.id, of: row, in: schema.id, to: .int(value))
            _ = try transaction.commit()
        }
    }

    /// The same query repeated on a database that stays open.
    func warm(_ query: FlightsQuery) throws -> UInt64 {
        let database = try warmDatabase ?? Database.open(path, readOnly: true)
        if warmDatabase == nil {
            try QueryRun.run(query.firn, database)
            warmDatabase = database
        }
        return try Stopwatch.time { _ = try QueryRun.run(query.firn, database) }
    }

    private func flights(_ schema: Schema) throws -> ClassSchema {
        guard let found = schema.classNamed(FlightsData.className) else {
            throw ProgramError("no class \(FlightsData.className)")
        }
        return found
    }

    private func measured(_ body: () throws -> Void) throws -> Cost {
        files.reset()
        let nanoseconds = try Stopwatch.time(body)
        return Cost(nanoseconds: nanoseconds, files: files.counts)
    }
}
