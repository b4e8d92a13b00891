import FirnEngine
import FirnValues

extension Accumulators {
    /// Returns whether the values of two parts of the rows determine the values of all rows.
    static func canMerge(_ reduction: Reduction) -> Bool { reduction != .distinct }

    /// Returns whether ``picking(_:)`` returns everything that is known about an owner.
    static func canPick(_ reduction: Reduction) -> Bool {
        switch reduction {
        case .distinct, .median, .quantile: false
        case .count, .sum, .average, .minimum, .maximum, .first, .last, .deviation, .variance: true
        }
    }

    /// Returns the values of some owners, which become the owners 0, 1, ...
    func picking(_ owners: [UInt32]) -> Accumulators {
        precondition(Self.canPick(reduction), "values that cannot be divided")
        var picked = self
        picked.counts = counts.picking(owners)
        picked.integers = integers.picking(owners)
        picked.doubles = doubles.picking(owners)
        picked.decimals = decimals.picking(owners)
        picked.extremes = extremes.picking(owners)
        picked.moments = moments.picking(owners)
        return picked
    }

    /// Returns the values of the owners of each part, numbered from 0 in each part.
    ///
    /// - Parameters:
    ///   - parts: the owners of each part; each owner is in one of them.
    ///   - willRead: called before values are read from disk; an error ends the work.
    func divided(
        among parts: [[UInt32]], willRead: () throws(StoreError) -> Void
    ) throws(StoreError) -> [Accumulators] {
        guard keepsValues else { return parts.map(picking) }
        precondition(reduction != .distinct, "distinct values cannot be divided")
        let samples = try samples.divided(among: parts, willRead: willRead)
        return zip(parts, samples).map { owners, samples in
            var part = self
            part.counts = counts.picking(owners)
            part.samples = samples
            return part
        }
    }

    /// Adds the values of rows that come after the rows of this instance.
    ///
    /// - Parameter owners: the owner here of each owner there.
    mutating func merge(_ later: Accumulators, owners: [UInt32]) throws(StoreError) {
        precondition(Self.canMerge(reduction), "distinct values of two parts are not known")
        for (there, here) in owners.enumerated() { counts[Int(here)] += later.counts[there] }
        switch reduction {
        case .count, .distinct: break
        case .sum, .average: mergeSums(later, owners)
        case .minimum, .maximum, .first, .last: extremes.merge(later.extremes, owners)
        case .deviation, .variance: moments.merge(later.moments, owners)
        case .median, .quantile: try samples.merge(later.samples, owners)
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

extension Array {
    /// The memory of the elements in bytes, including room for more of them.
    var allocatedByteCount: Int { capacity * MemoryLayout<Element>.stride }

    /// Returns the elements of some owners; empty if no owner has any.
    func picking(_ owners: [UInt32]) -> [Element] {
        isEmpty ? [] : owners.map { self[Int($0)] }
    }
}
