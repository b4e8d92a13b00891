import FirnValues

/// The minimum, maximum and greatest common step of integers, which determine a frame.
struct IntegerStatistics {
    var minimum: Int64 = .max
    var maximum: Int64 = .min
    /// Whether each value is at least as large as the previous one.
    var isAscending = true
    /// The number of values that are not null.
    var count = 0

    init(_ values: UnsafeBufferPointer<Int64>, _ nulls: NullBits) {
        if nulls.isEmpty {
            var low = Int64.max
            var high = Int64.min
            for value in values {
                low = min(low, value)
                high = max(high, value)
            }
            (minimum, maximum, count) = (low, high, values.count)
            var descents = 0
            for index in 1..<max(values.count, 1) {
                descents &+= values[index] < values[index &- 1] ? 1 : 0
            }
            isAscending = descents == 0
        } else {
            isAscending = false
            for (index, value) in values.enumerated() where !nulls[index] {
                minimum = min(minimum, value)
                maximum = max(maximum, value)
                count += 1
            }
        }
    }

    /// Returns the frame, after computing the common step of all differences.
    func frame(_ values: UnsafeBufferPointer<Int64>, _ nulls: NullBits) -> IntegerFrame {
        let span = UInt64(bitPattern: maximum &- minimum)
        var step = span
        var last = minimum
        for (index, value) in values.enumerated() {
            if step <= 1 { break }
            if value == last || nulls[index] { continue }
            last = value
            let distance = UInt64(bitPattern: value &- minimum)
            if distance % step != 0 { step = Self.divisor(step, distance) }
        }
        step = max(step, 1)
        return IntegerFrame(base: minimum, step: step, maxCode: span / step)
    }

    private static func divisor(_ left: UInt64, _ right: UInt64) -> UInt64 {
        var (left, right) = (left, right)
        while right != 0 { (left, right) = (right, left % right) }
        return left
    }
}

/// The set of null rows of a column that is being built.
///
/// It uses no memory while it is empty.
struct NullBits: Sendable {
    private(set) var words: [UInt64] = []
    private(set) var population = 0

    var isEmpty: Bool { population == 0 }

    @inline(__always)
    subscript(row: Int) -> Bool {
        row &>> 6 < words.count
            && words[row &>> 6] &>> UInt64(truncatingIfNeeded: row & 63) & 1 == 1
    }

    mutating func insert(_ row: Int) {
        while words.count <= row >> 6 { words.append(0) }
        words[row >> 6] |= 1 << UInt64(row & 63)
        population += 1
    }

    /// Removes a row.
    ///
    /// - Parameter row: a row that is null.
    mutating func remove(_ row: Int) {
        words[row >> 6] &= ~(1 << UInt64(row & 63))
        population -= 1
    }

    /// Returns the words of the bitmap for a number of rows.
    func words(rowCount: Int) -> [UInt64] {
        words + Array(repeating: 0, count: (rowCount + 63) / 64 - words.count)
    }

    mutating func removeAll() {
        words.removeAll(keepingCapacity: true)
        population = 0
    }
}
