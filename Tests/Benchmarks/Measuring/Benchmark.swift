import FirnQuery

/// Repeatable work in this process.
struct Benchmark {
    enum Weight {
        case light
        case heavy
    }

    let name: String
    let weight: Weight
    /// The number of rows that the work covers, for rows per second.
    let rowCount: Int
    /// Returns what the work reads with cold caches; `nil` if it does not read pages.
    let coldCost: () throws -> QueryStatistics?
    /// The work, without its clean-up.
    let work: () throws -> Void
    let cleanUp: () throws -> Void

    /// - Parameter coldCost: runs the work once on a database opened for that.
    init(
        _ name: String, weight: Weight = .light, rowCount: Int,
        coldCost: @escaping () throws -> QueryStatistics? = { nil },
        cleanUp: @escaping () throws -> Void = {}, work: @escaping () throws -> Void
    ) {
        self.name = name
        self.weight = weight
        self.rowCount = rowCount
        self.coldCost = coldCost
        self.work = work
        self.cleanUp = cleanUp
    }

    /// Runs it once to warm up, and then as often as requested.
    func measure(_ repetitions: Repetitions) throws -> Measurement {
        let cost = try coldCost()
        try work()
        try cleanUp()
        var samples: [UInt64] = []
        for _ in 0..<(weight == .light ? repetitions.runs : repetitions.heavyRuns) {
            samples.append(try Stopwatch.time(work))
            try cleanUp()
        }
        return Measurement(
            name: name, rowCount: rowCount, cost: cost,
            time: Statistics(samples) ?? Statistics(constant: 0))
    }
}

/// The result of a benchmark.
struct Measurement {
    let name: String
    let rowCount: Int
    let cost: QueryStatistics?
    let time: Statistics

    var rowsPerSecond: Double {
        time.median == 0 ? 0 : Double(rowCount) / Double(time.median) * 1e9
    }
}
