import FirnCodec
import FirnValues

/// The number of occurrences of each integer in a small range, for each owner.
///
///     counts[owner * width + (value - low)]
struct IntegerCounts {
    /// The maximum number of counts, which take 4 bytes each.
    private static let cellCountMax = 1 << 22

    private var low: Int64 = 0
    private var width = 0
    private var ownerCount = 0
    private var counts: [UInt32] = []

    /// The memory that the counts take.
    var byteCount: Int { counts.allocatedByteCount }

    /// Grows to a number of owners.
    ///
    /// - Returns: `false` if there would be too many counts; then nothing has changed.
    mutating func resize(to count: Int) -> Bool {
        guard count > ownerCount else { return true }
        guard width == 0 || count <= Self.cellCountMax / width else { return false }
        counts.append(contentsOf: repeatElement(0, count: (count - ownerCount) * width))
        ownerCount = count
        return true
    }

    /// Counts the values of a vector of integers that are not null.
    ///
    /// - Returns: `false` if there would be too many counts; then nothing has changed.
    mutating func add(_ values: ColumnVector, _ owners: [UInt32]) -> Bool {
        let hasNulls = !values.nulls.isEmpty
        var (least, greatest) = (Int64.max, Int64.min)
        for row in 0..<values.count where !hasNulls || !values.isNull(row) {
            least = min(least, values.ints[row])
            greatest = max(greatest, values.ints[row])
        }
        guard least <= greatest else { return true }
        guard makeRoom(for: least...greatest) else { return false }
        let (low, width) = (low, width)
        counts.withUnsafeMutableBufferPointer { counts in
            values.ints.withUnsafeBufferPointer { ints in
                for row in ints.indices where !hasNulls || !values.isNull(row) {
                    counts[Int(owners[row]) * width + Int(ints[row] - low)] += 1
                }
            }
        }
        return true
    }

    /// Adds the counts of another instance.
    ///
    /// - Parameter owners: the owner here of each owner there.
    /// - Returns: `false` if there would be too many counts; then nothing has changed.
    mutating func merge(_ other: IntegerCounts, _ owners: [UInt32]) -> Bool {
        guard other.width > 0 else { return true }
        guard makeRoom(for: other.low...(other.low + Int64(other.width - 1))) else { return false }
        let offset = Int(other.low - low)
        for (there, here) in owners.enumerated() {
            for cell in 0..<other.width {
                counts[Int(here) * width + offset + cell] +=
                    other.counts[there * other.width + cell]
            }
        }
        return true
    }

    /// Returns the counts of some owners, which become the owners 0, 1, ...
    func picking(_ owners: [UInt32]) -> IntegerCounts {
        var picked = self
        picked.ownerCount = owners.count
        picked.counts = []
        picked.counts.reserveCapacity(owners.count * width)
        for owner in owners {
            let first = Int(owner) * width
            picked.counts += counts[first..<first + width]
        }
        return picked
    }

    /// Extends the range of values and at least doubles it, so that this is rare.
    private mutating func makeRoom(for values: ClosedRange<Int64>) -> Bool {
        let limit = Int64(Self.cellCountMax)
        guard values.lowerBound > -limit << 32, values.upperBound < limit << 32 else {
            return false
        }
        let oldHigh = low + Int64(width) - 1
        if width > 0, values.lowerBound >= low, values.upperBound <= oldHigh { return true }
        let least = width == 0 ? values.lowerBound : min(low, values.lowerBound)
        let greatest = width == 0 ? values.upperBound : max(oldHigh, values.upperBound)
        guard greatest - least < limit else { return false }
        var newWidth = max(64, width)
        while newWidth <= greatest - least { newWidth *= 2 }
        guard newWidth <= Self.cellCountMax / max(1, ownerCount) else { return false }
        // The room is on the side where values were missing.
        let newLow =
            width > 0 && values.lowerBound < low ? greatest - Int64(newWidth) + 1 : least
        var moved = [UInt32](repeating: 0, count: ownerCount * newWidth)
        for owner in 0..<ownerCount {
            for cell in 0..<width {
                moved[owner * newWidth + Int(low - newLow) + cell] = counts[owner * width + cell]
            }
        }
        (low, width, counts) = (newLow, newWidth, moved)
        return true
    }

    /// Visits the values of an owner in ascending order, with their counts.
    func visit<Failure: Error>(
        _ owner: Int, _ body: (_ value: Int64, _ count: Int) throws(Failure) -> Void
    ) throws(Failure) {
        for cell in 0..<width where counts[owner * width + cell] > 0 {
            try body(low + Int64(cell), Int(counts[owner * width + cell]))
        }
    }
}
