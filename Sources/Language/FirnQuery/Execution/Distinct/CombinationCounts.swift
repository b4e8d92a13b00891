import FirnCodec
import FirnValues

/// The combinations of key values of rows, and the number of kept rows of each combination.
struct CombinationCounts {
    private let kinds: [ValueTag]
    private let countMax: Int
    private var numbers: [ValueNumbers]
    private var combinations: CombinationNumbers
    /// The number of kept rows of each combination, by its number.
    private var counts: [Int] = []
    /// The values of each combination, one vector per key; empty unless combinations are forgotten.
    private(set) var values: [ColumnVector]
    private let keepsValues: Bool

    /// - Parameters:
    ///   - kinds: the kinds of the keys, at least one.
    ///   - countMax: the number of rows to keep of each combination.
    ///   - keepsValues: whether combinations can be forgotten, for which their values are kept.
    init(_ kinds: [ValueTag], _ countMax: Int, keepsValues: Bool = false) {
        self.kinds = kinds
        self.countMax = countMax
        self.keepsValues = keepsValues
        numbers = kinds.map { ValueNumbers(kind: $0) }
        combinations = CombinationNumbers(kinds.count)
        values = keepsValues ? kinds.map { ColumnVector(kind: $0) } : []
    }

    /// Returns the memory that the combinations take after more are added, all of which may be new.
    func byteCount(afterAdding added: Int) -> Int {
        numbers.reduce(combinations.byteCount(afterAdding: added)) {
            $0 + $1.byteCount(afterAdding: added)
        }
            + counts.capacity * MemoryLayout<Int>.stride
            + values.reduce(0) { $0 + $1.valueByteCount }
    }

    /// The number of combinations.
    var count: Int { counts.count }

    /// Counts rows, and returns the indices of those to keep.
    ///
    /// - Parameters:
    ///   - vectors: the values of the keys.
    ///   - earlier: the rows that come before all rows that are counted here.
    mutating func kept(
        _ vectors: [ColumnVector], after earlier: CombinationCounts? = nil
    ) -> [Int] {
        let owners = combinations.numbers(
            zip(numbers, vectors).map { $0.numbers(of: $1, adding: true) }, adding: true)
        let before = earlier?.counts(of: vectors)
        var kept: [Int] = []
        var added: [UInt32] = []
        for (row, owner) in owners.enumerated() {
            if Int(owner) == counts.count {
                counts.append(before?[row] ?? 0)
                if keepsValues { added.append(UInt32(truncatingIfNeeded: row)) }
            }
            guard counts[Int(owner)] < countMax else { continue }
            counts[Int(owner)] += 1
            kept.append(row)
        }
        if !added.isEmpty {
            for key in values.indices { values[key].append(vectors[key], rows: added[...]) }
        }
        return kept
    }

    /// Returns the indices of rows that might be kept, without counting them.
    func incomplete(_ vectors: [ColumnVector]) -> [UInt32] {
        counts(of: vectors).enumerated().compactMap { row, count in
            count < countMax ? UInt32(truncatingIfNeeded: row) : nil
        }
    }

    /// Returns the number of kept rows of the combination of each row.
    private func counts(of vectors: [ColumnVector]) -> [Int] {
        combinations.numbers(
            zip(numbers, vectors).map { $0.numbers(of: $1, adding: false) }, adding: false
        ).map { $0 == ValueNumbers.none ? 0 : counts[Int($0)] }
    }

    /// Forgets combinations that have no further rows.
    ///
    /// - Parameter kept: the numbers of all others, ascending.
    mutating func forget(keeping kept: [UInt32]) {
        precondition(keepsValues, "combinations whose values are not known")
        var rest = CombinationCounts(kinds, countMax, keepsValues: true)
        rest.values = values.map { $0.picking(kept) }
        rest.counts = kept.map { counts[Int($0)] }
        _ = rest.combinations.numbers(
            zip(rest.numbers, rest.values).map { $0.numbers(of: $1, adding: true) }, adding: true)
        self = rest
    }
}
