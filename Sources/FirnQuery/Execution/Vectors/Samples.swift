import FirnCodec
import FirnValues

/// The values of each owner, of which a quantile is computed once all are known.
///
/// A quantile between two values is interpolated between them. NaN is ignored.
struct Samples {
    private let kind: ValueTag
    private let fraction: Double
    private var ownerCount = 0
    private var owners: [UInt32] = []
    private var doubles: [Double] = []
    private var decimals: [Decimal128] = []
    private var results: [Value] = []

    init(kind: ValueTag, fraction: Double) {
        self.kind = kind
        self.fraction = fraction
    }

    mutating func resize(to count: Int) { ownerCount = count }

    mutating func add(_ values: ColumnVector, _ owners: [UInt32]) {
        let hasNulls = !values.nulls.isEmpty
        for row in 0..<values.count where !hasNulls || !values.isNull(row) {
            switch kind {
            case .int: doubles.append(Double(values.ints[row]))
            case .double, .float:
                let value = values.doubles[row]
                if value.isNaN { continue }
                doubles.append(value)
            default:
                guard case .decimal128(let number) = values.value(at: row), !number.isNaN else {
                    continue
                }
                decimals.append(number)
            }
            self.owners.append(owners[row])
        }
    }

    /// Computes the result of each owner.
    mutating func finish() {
        var starts = [Int](repeating: 0, count: ownerCount + 1)
        for owner in owners { starts[Int(owner) + 1] += 1 }
        for owner in 0..<ownerCount { starts[owner + 1] += starts[owner] }
        results =
            kind == .decimal128 ? quantiles(decimals, starts) : quantiles(doubles, starts)
        (owners, doubles, decimals) = ([], [], [])
    }

    /// Returns the values ordered by owner.
    private func gathered<T>(_ values: [T], _ starts: [Int]) -> [T] {
        var ordered = values
        var next = starts
        for (index, owner) in owners.enumerated() {
            ordered[next[Int(owner)]] = values[index]
            next[Int(owner)] += 1
        }
        return ordered
    }

    private func quantiles(_ values: [Double], _ starts: [Int]) -> [Value] {
        var values = gathered(values, starts)
        return (0..<ownerCount).map { owner in
            let range = starts[owner]..<starts[owner + 1]
            guard !range.isEmpty else { return .null }
            values[range].sort()
            let (lower, upper, share) = position(range)
            let (low, high) = (values[lower], values[upper])
            // Halves are exact where the sum is; equal infinities have no difference.
            if low == high { return .double(low) }
            if share == 0.5 { return .double(low / 2 + high / 2) }
            return .double(low + (high - low) * share)
        }
    }

    private func quantiles(_ values: [Decimal128], _ starts: [Int]) -> [Value] {
        var values = gathered(values, starts)
        return (0..<ownerCount).map { owner in
            let range = starts[owner]..<starts[owner + 1]
            guard !range.isEmpty else { return .null }
            values[range].sort { $0.numericOrder(relativeTo: $1) == .less }
            let (lower, upper, share) = position(range)
            if lower == upper || share == 0 { return .decimal128(values[lower]) }
            let distance = values[upper].subtracting(values[lower])
            return .decimal128(
                values[lower].adding(distance.multiplied(by: Decimal128(shortest: share))))
        }
    }

    /// Returns the indices of the values around the quantile, and its share of their distance.
    private func position(_ range: Range<Int>) -> (lower: Int, upper: Int, share: Double) {
        let position = fraction * Double(range.count - 1)
        let whole = min(Int(position), range.count - 1)
        let lower = range.lowerBound + whole
        return (lower, min(lower + 1, range.upperBound - 1), position - Double(whole))
    }

    func value(_ owner: Int) -> Value { results[owner] }
}
