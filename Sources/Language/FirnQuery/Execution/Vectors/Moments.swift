import FirnCodec
import FirnValues

/// The mean and the sum of squared distances from it, for each owner.
///
/// They are updated value by value as by Welford, which is stable for values far from 0.
struct Moments {
    private var counts: [Double] = []
    private var means: [Double] = []
    private var squares: [Double] = []

    /// The memory that the moments take.
    var byteCount: Int {
        counts.allocatedByteCount + means.allocatedByteCount + squares.allocatedByteCount
    }

    mutating func resize(to count: Int) {
        let added = count - counts.count
        counts.append(contentsOf: repeatElement(0, count: added))
        means.append(contentsOf: repeatElement(0, count: added))
        squares.append(contentsOf: repeatElement(0, count: added))
    }

    mutating func add(_ values: ColumnVector, _ owners: [UInt32]) {
        let hasNulls = !values.nulls.isEmpty
        for row in 0..<values.count where !hasNulls || !values.isNull(row) {
            let owner = Int(owners[row])
            let value: Double
            switch values.kind {
            case .int: value = Double(values.ints[row])
            case .double, .float: value = values.doubles[row]
            default:
                guard case .decimal128(let number) = values.value(at: row) else { continue }
                value = number.nearestDouble
            }
            counts[owner] += 1
            let distance = value - means[owner]
            means[owner] += distance / counts[owner]
            squares[owner] += distance * (value - means[owner])
        }
    }

    /// Adds the values of other rows, by the formula of Chan, Golub and LeVeque.
    ///
    /// - Parameter owners: the owner here of each owner there.
    mutating func merge(_ other: Moments, _ owners: [UInt32]) {
        for (there, here) in owners.enumerated() where other.counts[there] > 0 {
            let owner = Int(here)
            guard counts[owner] > 0 else {
                // The formula would square a mean, which overflows for 1e300.
                counts[owner] = other.counts[there]
                means[owner] = other.means[there]
                squares[owner] = other.squares[there]
                continue
            }
            let count = counts[owner] + other.counts[there]
            let distance = other.means[there] - means[owner]
            squares[owner] +=
                other.squares[there]
                + distance * distance * (counts[owner] * other.counts[there] / count)
            means[owner] += distance * (other.counts[there] / count)
            counts[owner] = count
        }
    }

    /// Returns the moments of some owners, which become the owners 0, 1, ...
    func picking(_ owners: [UInt32]) -> Moments {
        var picked = Moments()
        picked.counts = counts.picking(owners)
        picked.means = means.picking(owners)
        picked.squares = squares.picking(owners)
        return picked
    }

    /// Returns the variance of a sample; `nil` for fewer than two values.
    func variance(_ owner: Int) -> Double? {
        counts[owner] < 2 ? nil : squares[owner] / (counts[owner] - 1)
    }
}
