/// One kind of work, measured for all contestants.
struct ComparisonRow {
    enum Unit {
        case time
        /// Nanoseconds for each, shown as a number per second.
        case rate
        case bytes

        func text(_ value: UInt64) -> String {
            switch self {
            case .time: Figures.time(value)
            case .rate: Figures.rate(1e9 / Double(max(1, value)))
            case .bytes: Figures.bytes(value)
            }
        }
    }

    let work: String
    let unit: Unit
    /// Whether the slowest ones matter, too.
    let showsSlowest: Bool
    /// In the order of the contestants; `nil` for one that failed or does not support the work.
    let values: [Statistics?]

    init(_ work: String, unit: Unit, showsSlowest: Bool = false, _ values: [Statistics?]) {
        self.work = work
        self.unit = unit
        self.showsSlowest = showsSlowest
        self.values = values
    }

    /// The text of a value in the table.
    func text(_ value: Statistics) -> String {
        let median = unit.text(value.median)
        return showsSlowest ? "\(median), p99 \(unit.text(value.p99))" : median
    }
}
