/// Sorting by row.
enum RowOrder {
    private static let digitBitCount = 11
    /// Fewer numbers are compared with each other.
    private static let digitsCountMinimum = 256

    /// The places of numbers in ascending order; equal ones stay in theirs.
    ///
    /// - Complexity: O(numbers · bits of the greatest)
    static func ascending(_ numbers: [UInt64]) -> [UInt32] {
        var order = Array(0..<UInt32(numbers.count))
        guard numbers.count >= digitsCountMinimum, let greatest = numbers.max() else {
            order.sort { left, right in
                let (first, second) = (numbers[Int(left)], numbers[Int(right)])
                return first == second ? left < right : first < second
            }
            return order
        }
        let bitCount = UInt64.bitWidth - greatest.leadingZeroBitCount
        var sorted = order
        for shift in stride(from: 0, to: bitCount, by: digitBitCount) {
            func digit(_ place: UInt32) -> Int {
                Int(truncatingIfNeeded: numbers[Int(place)] >> UInt64(shift))
                    & ((1 << digitBitCount) - 1)
            }
            // Where the next number with each digit goes.
            var ends = [Int](repeating: 0, count: (1 << digitBitCount) + 1)
            for place in order { ends[digit(place) + 1] += 1 }
            for index in 1..<ends.count { ends[index] += ends[index - 1] }
            for place in order {
                let digit = digit(place)
                sorted[ends[digit]] = place
                ends[digit] += 1
            }
            swap(&order, &sorted)
        }
        return order
    }
}
