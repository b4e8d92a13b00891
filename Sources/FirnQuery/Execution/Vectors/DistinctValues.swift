import FirnCodec
import FirnValues

/// The different values of each owner.
struct DistinctValues {
    /// The numbers of the pairs of an owner and a number; `nil` before the first value.
    private var pairs: PairNumbers?
    /// The numbers of the values, if they come without numbers.
    private var values: ValueNumbers?

    /// Adds values, and counts those that are new to their owner.
    mutating func add(_ vector: ColumnVector, _ owners: [UInt32], _ counts: inout [Int]) {
        let values = values ?? ValueNumbers(kind: vector.kind, ignoresNull: true)
        self.values = values
        add(values.numbers(of: vector, adding: true), owners, &counts)
    }

    /// Adds values by their numbers, and counts those that are new to their owner; none is null.
    mutating func add(_ numbers: [UInt32], _ owners: [UInt32], _ counts: inout [Int]) {
        let pairs = pairs ?? PairNumbers()
        self.pairs = pairs
        var next = UInt32(truncatingIfNeeded: pairs.count)
        var found = owners
        pairs.replace(&found, byPairsWith: numbers, adding: true)
        guard pairs.count > Int(next) else { return }
        for (row, number) in found.enumerated() where number == next {
            counts[Int(owners[row])] += 1
            next += 1
        }
    }
}
