/// A table of the times of several waits.
enum LatencyTable {
    /// - Parameters:
    ///   - title: the title of the column with the names.
    ///   - waits: measured in turn, and named on standard error.
    static func text(
        _ title: String, _ waits: [(String, () throws -> Statistics)]
    ) throws -> String {
        var table = MarkdownTable([title, "median", "min", "p99"])
        for (name, wait) in waits {
            Console.note(name)
            let statistics = try wait()
            table.add([
                name, Figures.time(statistics.median), Figures.time(statistics.minimum),
                Figures.time(statistics.p99),
            ])
        }
        return table.text
    }
}
