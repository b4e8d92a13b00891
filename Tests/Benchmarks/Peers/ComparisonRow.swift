/// One kind of work, measured for all contestants.
struct ComparisonRow {
    enum Unit {
        case time
        /// Of nanoseconds for one of many, how many that is in a second.
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
    /// Whether the slowest ones are of interest, too.
    let showsSlowest: Bool
    /// In the order of the contestants; `nil` for who failed or cannot do that.
    let values: [Statistics?]

    init(_ work: String, unit: Unit, showsSlowest: Bool = false, _ values: [Statistics?]) {
        self.work = work
        self.unit = unit
        self.showsSlowest = showsSlowest
        self.values = values
    }

    /// What a table says of a contestant.
    func text(_ value: Statistics) -> String {
        let median = unit.text(value.median)
        return showsSlowest ? "\(median), p99 \(unit.text(value.p99))" : median
    }
}
