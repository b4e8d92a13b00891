import FirnQuery

/// The table of the benchmarks of this process.
enum MeasurementTable {
    static func text(_ measurements: [Measurement]) -> String {
        var table = MarkdownTable([
            "in this process", "median", "min", "p99", "rows/s", "pages read", "decoded",
        ])
        for measurement in measurements {
            table.add([
                measurement.name, Figures.time(measurement.time.median),
                Figures.time(measurement.time.minimum), Figures.time(measurement.time.p99),
                Figures.rate(measurement.rowsPerSecond),
                measurement.cost.map { "\($0.pagesRead) of \($0.pagesTotal)" } ?? "-",
                measurement.cost.map { Figures.bytes($0.bytesDecoded) } ?? "-",
            ])
        }
        return table.text
    }
}
