import FirnCodec
import FirnValues

/// The different values of each owner.
struct DistinctValues {
    /// The pairs of an owner and a number; `nil` before the first value.
    private var pairs: IntegerNumbers?
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
        let pairs = pairs ?? IntegerNumbers()
        self.pairs = pairs
        for (number, owner) in zip(numbers, owners) where number != ValueNumbers.none {
            let next = UInt32(truncatingIfNeeded: pairs.count)
            if pairs.number(of: Int64(owner) << 32 | Int64(number), adding: next) == next {
                counts[Int(owner)] += 1
            }
        }
    }
}
