import FirnValues

/// The place of a quantile among ascending values: between two of them, or at one.
struct QuantilePosition {
    /// The indices of the values around the quantile, which may be the same.
    let lower: Int
    let upper: Int
    /// The share of the distance between the two values.
    let share: Double

    /// - Parameters:
    ///   - fraction: from 0 to 1, 0.5 for the median.
    ///   - count: the number of values, at least one.
    init(_ fraction: Double, of count: Int) {
        let position = fraction * Double(count - 1)
        lower = min(Int(position), count - 1)
        upper = min(lower + 1, count - 1)
        share = position - Double(lower)
    }

    /// Returns the quantile between the values at the indices.
    func value(_ low: Double, _ high: Double) -> Double {
        // Halves are exact where the sum is; equal infinities have no difference.
        if low == high { return low }
        return share == 0.5 ? low / 2 + high / 2 : low + (high - low) * share
    }
}

extension QuantilePosition {
    /// Returns the quantile of values in any order, which are reordered.
    func value(in values: UnsafeMutableBufferPointer<Double>) -> Double {
        let (low, high) = select(in: values)
        return value(low, high)
    }

    /// Returns the values at the indices of the order, without sorting all values.
    ///
    /// The algorithm is quickselect: Hoare, "Algorithm 65: find", 1961.
    private func select(in values: UnsafeMutableBufferPointer<Double>) -> (Double, Double) {
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
            if lower <= right {
                high = right
            } else if lower >= left {
                low = left
            } else {
                (low, high) = (lower, lower)
            }
        }
        var rest = UnsafeMutableBufferPointer(rebasing: values[low...high])
        rest.sort()
        let value = values[lower]
        guard upper > lower else { return (value, value) }
        // All values after the position are at least as large.
        return (value, values[(lower + 1)...].min() ?? value)
    }
}
