/// Numbers the combinations of numbers in the order of their first occurrence.
final class CombinationNumbers {
    /// One table per number after the first.
    private let pairs: [PairNumbers]

    /// - Parameter count: the number of combined numbers, at least one.
    init(_ count: Int) { pairs = (1..<max(1, count)).map { _ in PairNumbers() } }

    /// The number of combinations; `nil` for combinations of a single number, which are not counted.
    var count: Int? { pairs.last?.count }

    /// The memory that the combinations take.
    var byteCount: Int { pairs.reduce(0) { $0 + $1.byteCount } }

    /// Returns the memory that the combinations take after more are added, all of which may be new.
    func byteCount(afterAdding added: Int) -> Int {
        pairs.reduce(0) { $0 + $1.byteCount(afterAdding: added) }
    }

    /// Returns the number of each row's combination, or none if one of its numbers is none.
    ///
    /// - Parameter adding: whether new combinations get a number.
    func numbers(_ columns: [[UInt32]], adding: Bool) -> [UInt32] {
        guard var numbers = columns.first else { return [] }
        for (column, pairs) in zip(columns.dropFirst(), pairs) {
            pairs.replace(&numbers, byPairsWith: column, adding: adding)
        }
        return numbers
    }
}
