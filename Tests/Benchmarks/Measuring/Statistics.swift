/// A summary of repeated measurements.
struct Statistics {
    let count: Int
    let median: UInt64
    let minimum: UInt64
    /// With fewer than a hundred measurements this is the maximum.
    let p99: UInt64

    /// - Returns: `nil` if there are no samples.
    init?(_ samples: [UInt64]) {
        let sorted = samples.sorted()
        guard let first = sorted.first else { return nil }
        count = sorted.count
        median = sorted[(sorted.count - 1) / 2]
        minimum = first
        p99 = sorted[(sorted.count * 99 - 1) / 100]
    }

    /// Statistics of a value that does not vary.
    init(constant value: UInt64) {
        count = 1
        median = value
        minimum = value
        p99 = value
    }
}
