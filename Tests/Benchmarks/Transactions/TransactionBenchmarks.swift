import FirnEngine
import FirnPlatform
import FirnValues

/// The cost of transactions inside the engine, before anything is made durable.
struct TransactionBenchmarks {
    private static let objectCount = 100_000
    private static let transactionCount = 1_000

    private let store: Store
    private let person: ClassSchema
    private let folder: String

    /// - Parameter folder: for the database; a folder in memory excludes the disk.
    init(folder: String) throws {
        self.folder = folder
        let path = "\(folder)/transactions.firn"
        store = try TransactionBenchmarks.makeStore(path)
        let transaction = try store.beginWrite()
        person = try transaction.addClass(People.definition)
        try TransactionBenchmarks.createAll(transaction, person)
        _ = try transaction.commit()
    }

    /// Removes the database, which the figures no longer need.
    func cleanUp() throws {
        try SystemServices.real.files.remove("\(folder)/transactions.firn")
    }

    var all: [Benchmark] {
        [
            creation, creationInMemory, updates, smallUpdates, smallCreations, lookups,
            overlayLookups, snapshots, reads, scatteredReads,
        ]
    }

    // MARK: Work

    private var creation: Benchmark {
        let path = "\(folder)/created.firn"
        return Benchmark(
            "create 100,000 objects and commit", weight: .heavy,
            rowCount: TransactionBenchmarks.objectCount,
            cleanUp: { try SystemServices.real.files.remove(path) },
            work: {
                let transaction = try TransactionBenchmarks.makeStore(path).beginWrite()
                let schema = try transaction.addClass(People.definition)
                try TransactionBenchmarks.createAll(transaction, schema)
                _ = try transaction.commit()
            })
    }

    private var creationInMemory: Benchmark {
        Benchmark(
            "create 100,000 objects and roll back", weight: .heavy,
            rowCount: TransactionBenchmarks.objectCount,
            work: {
                let transaction = try store.beginWrite()
                for number in 0..<TransactionBenchmarks.objectCount {
                    try transaction.create(
                        in: person.id,
                        People.values(TransactionBenchmarks.objectCount + number))
                }
                transaction.rollback()
            })
    }

    private var updates: Benchmark {
        Benchmark(
            "update 100,000 objects and roll back", weight: .heavy,
            rowCount: TransactionBenchmarks.objectCount,
            work: {
                let transaction = try store.beginWrite()
                for number in 0..<TransactionBenchmarks.objectCount {
                    try setAge(number, transaction)
                }
                transaction.rollback()
            })
    }

    private var smallUpdates: Benchmark {
        Benchmark(
            "begin, update one property, roll back",
            rowCount: TransactionBenchmarks.transactionCount,
            work: {
                for number in 0..<TransactionBenchmarks.transactionCount {
                    let transaction = try store.beginWrite()
                    try setAge(number, transaction)
                    _ = try transaction.snapshot()
                    transaction.rollback()
                }
            })
    }

    private var smallCreations: Benchmark {
        Benchmark(
            "begin, create one object, roll back",
            rowCount: TransactionBenchmarks.transactionCount,
            work: {
                for number in 0..<TransactionBenchmarks.transactionCount {
                    let transaction = try store.beginWrite()
                    try transaction.create(
                        in: person.id,
                        People.values(TransactionBenchmarks.objectCount + number))
                    _ = try transaction.snapshot()
                    transaction.rollback()
                }
            })
    }

    private var lookups: Benchmark {
        Benchmark(
            "find an object by its key", rowCount: TransactionBenchmarks.objectCount,
            work: { try find(in: try store.snapshot()) })
    }

    private var overlayLookups: Benchmark {
        Benchmark(
            "change and create 1,000 objects, find 100,000 by key",
            rowCount: TransactionBenchmarks.objectCount,
            work: {
                let transaction = try store.beginWrite()
                for number in 0..<TransactionBenchmarks.transactionCount {
                    try setAge(number, transaction)
                    try transaction.create(
                        in: person.id,
                        People.values(TransactionBenchmarks.objectCount + number))
                }
                try find(in: try transaction.snapshot())
                transaction.rollback()
            })
    }

    private func find(in snapshot: Snapshot) throws {
        guard let table = snapshot.table(person.id) else { return }
        for number in 0..<TransactionBenchmarks.objectCount {
            let key = TransactionBenchmarks.scattered(number)
            _ = try table.row(forKey: .int(Int64(key)))
        }
    }

    private var snapshots: Benchmark {
        Benchmark(
            "take a snapshot", rowCount: TransactionBenchmarks.transactionCount,
            work: {
                for _ in 0..<TransactionBenchmarks.transactionCount { _ = try store.snapshot() }
            })
    }

    private var reads: Benchmark { reads("read a property of each object") { $0 } }

    private var scatteredReads: Benchmark {
        reads("read a property of scattered objects", TransactionBenchmarks.scattered)
    }

    private func reads(_ name: String, _ place: @escaping (Int) -> Int) -> Benchmark {
        Benchmark(
            name, rowCount: TransactionBenchmarks.objectCount,
            work: {
                guard let cursor = ObjectCursor(try store.snapshot(), person.id) else { return }
                var sum: Int64 = 0
                for number in 0..<TransactionBenchmarks.objectCount
                where try cursor.move(to: RowID(UInt64(place(number)))) {
                    sum &+= try cursor.int(People.ageIndex) ?? 0
                }
                precondition(sum > 0, "the objects have no ages")
            })
    }

    private func setAge(_ number: Int, _ transaction: WriteTransaction) throws {
        try transaction.set(
            person.properties[People.ageIndex].id,
            of: RowID(UInt64(TransactionBenchmarks.scattered(number))),
            in: person.id, to: .int(Int64(number)))
    }

    // MARK: Data

    private static func scattered(_ number: Int) -> Int {
        People.scattered(number, below: objectCount)
    }

    private static func makeStore(_ path: String) throws -> Store {
        let creation = try Store.create(path)
        try creation.publish()
        return try Store.open(path, readOnly: false)
    }

    private static func createAll(_ transaction: WriteTransaction, _ schema: ClassSchema) throws {
        for number in 0..<objectCount {
            try transaction.create(in: schema.id, People.values(number))
        }
    }
}
