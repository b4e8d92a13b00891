import FirnEngine
import FirnPlatform
import FirnQuery
import FirnSyntax
import FirnValues

/// The cost of keeping the results of queries up to date after a commit that changes one object.
struct LiveQueryBenchmarks {
    private let folder: String
    private let runs: Int

    /// - Parameter folder: for the databases; a folder in memory excludes the disk.
    init(folder: String, runs: Int) {
        self.folder = folder
        self.runs = runs
    }

    private static let queries = [
        ("filter", "Person age > 60"),
        ("filter and sort", "Person age > 30 SORT(score DESC)"),
        ("sort by text", "Person SORT(name ASC, id ASC)"),
    ]

    /// Measures by the number of objects of the class.
    func bySize(_ sizes: [Int]) throws -> String {
        var table = MarkdownTable(
            ["after a commit of one object"] + sizes.map { "\($0) objects" } + ["bytes per member"])
        var columns: [[Sample]] = []
        for size in sizes {
            let population = try LivePopulation(folder: folder, count: size)
            columns.append(
                try LiveQueryBenchmarks.queries.map { try population.sample($0.1, runs: runs) })
            try population.cleanUp()
        }
        for (row, query) in LiveQueryBenchmarks.queries.enumerated() {
            let last = columns.last?[row]
            table.add(
                [query.0] + columns.map { Figures.time($0[row].time.median) }
                    + [last.map { Figures.short($0.bytesPerMember) } ?? "-"])
        }
        return table.text
    }

    /// Measures by the number of queries that watch the same class.
    func byQueryCount(_ counts: [Int], objectCount: Int) throws -> String {
        var table = MarkdownTable(["live queries", "per commit", "per query"])
        let population = try LivePopulation(folder: folder, count: objectCount)
        for count in counts {
            let texts = (0..<count).map { "Person age > \($0 % 90) AND id > \($0)" }
            let time = try population.time(texts, runs: runs)
            table.add([
                "\(count)", Figures.time(time.median), Figures.time(time.median / UInt64(count)),
            ])
        }
        try population.cleanUp()
        return table.text
    }

    struct Sample {
        let time: Statistics
        let bytesPerMember: Double
    }
}

/// A database of people whose ages change one by one.
private final class LivePopulation {
    private let path: String
    private let database: Database
    private let schema: ClassSchema
    private let count: Int
    private var number = 0

    init(folder: String, count: Int) throws {
        path = "\(folder)/live-\(count).firn"
        self.count = count
        Console.note("making \(count) objects")
        let creation = try Store.create(path)
        let transaction = try creation.store.beginWrite()
        let schema = try transaction.addClass(People.definition)
        for number in 0..<count {
            try transaction.create(in: schema.id, People.values(number))
        }
        _ = try transaction.commit()
        try creation.publish()
        self.schema = schema
        var options = StoreOptions()
        options.logging = .always
        database = try Database.open(path, readOnly: false, options: options)
    }

    func cleanUp() throws {
        try database.store.close()
        try SystemServices.real.files.remove(path)
    }

    /// Changes the age of one person.
    private func commit() throws {
        let transaction = try database.store.beginWrite()
        let row = RowID(UInt64(People.scattered(number, below: count)))
        try transaction.set(
            schema.properties[People.ageIndex].id, of: row, in: schema.id,
            to: .int(Int64(number * 37 % 90)))
        _ = try transaction.commit()
        number += 1
    }

    func sample(_ text: String, runs: Int) throws -> LiveQueryBenchmarks.Sample {
        // One before the measurement loads everything that running a query leaves in memory.
        let warm = try liveQuery(text)
        defer { withExtendedLifetime(warm) {} }
        let before = ProcessMemory.residentByteCount
        let live = try liveQuery(text)
        let memberCount = max(1, live.count)
        let memory = ProcessMemory.residentByteCount - before
        return LiveQueryBenchmarks.Sample(
            time: try time([live], runs: runs),
            bytesPerMember: Double(max(0, memory)) / Double(memberCount))
    }

    func time(_ texts: [String], runs: Int) throws -> Statistics {
        try time(try texts.map { try liveQuery($0) }, runs: runs)
    }

    private func time(_ queries: [LiveQuery], runs: Int) throws -> Statistics {
        var samples: [UInt64] = []
        var old = try database.snapshot()
        for _ in 0..<max(2, runs) {
            try commit()
            var new = old
            samples.append(
                try Stopwatch.time {
                    new = try database.snapshot()
                    let changes = try database.changes(from: old, to: new)
                    let step = LiveStep(from: old, to: new, by: changes)
                    for query in queries { _ = try query.advance(step) }
                })
            old = new
        }
        return Statistics(Array(samples.dropFirst())) ?? Statistics(constant: 0)
    }

    private func liveQuery(_ text: String) throws -> LiveQuery {
        let snapshot = try database.snapshot()
        let context = BindingContext(
            schema: snapshot.schema, defaultClass: nil, arguments: [:], positional: [],
            now: snapshot.now)
        return try LiveQuery(
            try BoundQuery(text, entry: .pipeline, in: context), on: snapshot, observing: .own)
    }
}
