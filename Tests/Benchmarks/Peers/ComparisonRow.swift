/// One kind of work, measured for all contestants.
struct ComparisonRow {
    enum Unit {
        case time
        case bytes

        func text(_ value: UInt64) -> String {
            switch self {
            case .time: Figures.time(value)
            case .bytes: Figures.bytes(value)
            }
        }
    }

    let work: String
    let unit: Unit
    /// In the order of the contestants; `nil` for who failed.
    let values: [Statistics?]

    init(_ work: String, unit: Unit, _ values: [Statistics?]) {
        self.work = work
        self.unit = unit
        self.values = values
    }
}
