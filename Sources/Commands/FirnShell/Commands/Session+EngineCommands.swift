import FirnEngine
import FirnFormats
import FirnPlatform
import FirnQuery
import FirnTools
import FirnValues

/// `.stats`, `.check`, `.sessions`, `.profile`.
extension Session {
    /// The number of times that `.profile` runs a query.
    private static let profiledRunCount = 20

    func engine(
        _ name: DotCommandName, _ arguments: DotArguments
    ) throws(CommandFailure) {
        switch name {
        case .stats:
            try arguments.none()
            try perform("stats", reportFormat + versionWords)
        case .check:
            try arguments.none()
            try perform("check", reportFormat)
        case .sessions:
            try arguments.none()
            try perform("stats", ["--sessions"] + reportFormat)
        default: try profile(arguments)
        }
    }

    /// Runs a query repeatedly and discards its rows: first without cached pages, then with them.
    private func profile(_ arguments: DotArguments) throws(CommandFailure) {
        let query = try onlyQuery(try arguments.query())
        let printed = PrintedQuery(
            query.text, defaultClass: query.defaultClass, arguments: self.arguments)
        try openDatabase().database.store.emptyPageCache()
        let (rowCount, cold) = try measured(printed)
        var times: [UInt64] = []
        for _ in 0..<Session.profiledRunCount { times.append(try measured(printed).time) }
        times.sort()
        let median = times[times.count / 2]
        let high = times[(times.count * 95 + 99) / 100 - 1]
        var record = JSONObject()
        record.add("runs", Int64(times.count))
        record.add("rows", Int64(rowCount))
        record.add("min_us", Int64(clamping: times[0] / 1000))
        record.add("median_us", Int64(clamping: median / 1000))
        record.add("p95_us", Int64(clamping: high / 1000))
        record.add("uncached_us", Int64(clamping: cold / 1000))
        let text = """
            \(Formatting.count(UInt64(rowCount), "row"))
            1 run without cached pages: \(Formatting.time(cold))
            \(times.count) runs with cached pages: min \(Formatting.time(times[0])) · \
            median \(Formatting.time(median)) · p95 \(Formatting.time(high))

            """
        try show(text: environment.plain(text), json: record.text + "\n")
    }

    private func measured(
        _ printed: PrintedQuery
    ) throws(CommandFailure) -> (rowCount: Int, time: UInt64) {
        let clock = environment.services.clock
        let start = clock.monotonicNanoseconds()
        let rowCount = try printed.rowCount(
            try snapshot(), named: try openDatabase().path, environment)
        return (rowCount, clock.monotonicNanoseconds() &- start)
    }
}
