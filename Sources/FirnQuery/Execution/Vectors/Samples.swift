import FirnCodec
import FirnValues

/// The values of each owner, of which a quantile is computed once all are known.
///
/// A quantile between two values is interpolated between them. NaN is ignored.
struct Samples {
    private let kind: ValueTag
    private let fraction: Double
    private var ownerCount = 0
    /// The values of an Int column in a small range, in the place of lists.
    private var counts: IntegerCounts?
    private var owners: [UInt32] = []
    private var doubles: [Double] = []
    private var decimals: [Decimal128] = []
    private var results: [Value] = []

    init(kind: ValueTag, fraction: Double) {
        self.kind = kind
        self.fraction = fraction
        counts = kind == .int ? IntegerCounts() : nil
    }

    mutating func resize(to count: Int) {
        if counts?.resize(to: count) == false { listCounts() }
        ownerCount = count
    }

    /// Lists the values that were counted, because there are too many different ones.
    private mutating func listCounts() {
        guard let counts else { return }
        self.counts = nil
        for owner in 0..<ownerCount {
            counts.visit(owner) { value, count in
                owners += repeatElement(UInt32(truncatingIfNeeded: owner), count: count)
                doubles += repeatElement(Double(value), count: count)
            }
        }
    }

    mutating func add(_ values: ColumnVector, _ owners: [UInt32]) {
        if let wasCounted = counts?.add(values, owners) {
            if wasCounted { return }
            listCounts()
        }
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

    /// Adds the values of other rows.
    ///
    /// - Parameter owners: the owner here of each owner there.
    mutating func merge(_ other: Samples, _ owners: [UInt32]) {
        if let added = other.counts, counts?.merge(added, owners) == true { return }
        listCounts()
        var other = other
        other.listCounts()
        self.owners += other.owners.lazy.map { owners[Int($0)] }
        doubles += other.doubles
        decimals += other.decimals
    }

    /// Computes the result of each owner.
    mutating func finish() {
        if let counts {
            results = (0..<ownerCount).map { quantile(of: $0, counts) }
            self.counts = nil
            return
        }
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
            let (lower, upper, share) = position(range)
            let (low, high) = values.withUnsafeMutableBufferPointer { values in
                Self.select(
                    lower, upper, of: UnsafeMutableBufferPointer(rebasing: values[range]),
                    from: range.lowerBound)
            }
            return .double(Self.interpolated(low, high, share))
        }
    }

    private func quantile(of owner: Int, _ counts: IntegerCounts) -> Value {
        var total = 0
        counts.visit(owner) { total += $1 }
        guard total > 0 else { return .null }
        let (lower, upper, share) = position(0..<total)
        var (low, high) = (0.0, 0.0)
        var passed = 0
        counts.visit(owner) { value, count in
            if (passed..<passed + count).contains(lower) { low = Double(value) }
            if (passed..<passed + count).contains(upper) { high = Double(value) }
            passed += count
        }
        return .double(Self.interpolated(low, high, share))
    }

    private static func interpolated(_ low: Double, _ high: Double, _ share: Double) -> Double {
        // Halves are exact where the sum is; equal infinities have no difference.
        if low == high { return low }
        return share == 0.5 ? low / 2 + high / 2 : low + (high - low) * share
    }

    /// Returns the values at one or two adjacent positions of the order, which is not established
    /// as a whole.
    private static func select(
        _ lower: Int, _ upper: Int, of values: UnsafeMutableBufferPointer<Double>, from start: Int
    ) -> (Double, Double) {
        let wanted = lower - start
        var (low, high) = (0, values.count - 1)
        // A number of rounds beyond the usual means that the pivots are bad.
        var rounds = 64
        while high - low > 16, rounds > 0 {
            rounds -= 1
            // The median of three values avoids the slowest case of ordered values.
            let (first, last) = (values[low], values[high])
            let middle = values[low + (high - low) / 2]
            let pivot = max(min(first, last), min(max(first, last), middle))
            var (left, right) = (low, high)
            while left <= right {
                while values[left] < pivot { left += 1 }
                while values[right] > pivot { right -= 1 }
                if left <= right {
                    values.swapAt(left, right)
                    left += 1
                    right -= 1
                }
            }
            if wanted <= right {
                high = right
            } else if wanted >= left {
                low = left
            } else {
                (low, high) = (wanted, wanted)
            }
        }
        var rest = UnsafeMutableBufferPointer(rebasing: values[low...high])
        rest.sort()
        let value = values[wanted]
        guard upper > lower else { return (value, value) }
        // All values after the position are at least as large.
        return (value, values[(wanted + 1)...].min() ?? value)
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
