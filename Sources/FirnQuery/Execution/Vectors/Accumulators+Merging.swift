import FirnValues

extension Accumulators {
    /// Returns whether the values of two parts of the rows determine those of all rows.
    static func canMerge(_ reduction: Reduction) -> Bool { reduction != .distinct }

    /// Adds the values of rows that come after those of this instance.
    ///
    /// - Parameter owners: the owner here of each owner there.
    mutating func merge(_ later: Accumulators, owners: [UInt32]) {
        precondition(Self.canMerge(reduction), "different values of two parts are not known")
        for (there, here) in owners.enumerated() { counts[Int(here)] += later.counts[there] }
        switch reduction {
        case .count, .distinct: break
        case .sum, .average: mergeSums(later, owners)
        case .minimum, .maximum, .first, .last: extremes.merge(later.extremes, owners)
        case .deviation, .variance: moments.merge(later.moments, owners)
        case .median, .quantile: samples.merge(later.samples, owners)
        }
    }

    private mutating func mergeSums(_ later: Accumulators, _ owners: [UInt32]) {
        switch kind {
        case .int:
            for (there, here) in owners.enumerated() {
                integers[Int(here)] += later.integers[there]
            }
        case .decimal128:
            for (there, here) in owners.enumerated() {
                decimals[Int(here)].add(later.decimals[there])
            }
        default:
            for (there, here) in owners.enumerated() { doubles[Int(here)] += later.doubles[there] }
        }
    }
}
