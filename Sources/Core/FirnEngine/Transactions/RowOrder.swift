import FirnValues

/// Sorting rows.
enum RowOrder {
    private static let digitBitCount = 12
    /// The count below which the numbers are sorted by comparison.
    private static let digitsCountMinimum = 256

    /// Returns the indices of numbers in ascending order; equal numbers keep their order.
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
            numbers.withUnsafeBufferPointer { numbers in
                order.withUnsafeBufferPointer { order in
                    sorted.withUnsafeMutableBufferPointer { sorted in
                        sortByDigit(numbers, shift: UInt64(shift), from: order, to: sorted)
                    }
                }
            }
            swap(&order, &sorted)
        }
        return order
    }

    /// Sorts indices by one digit of their numbers; equal digits keep their order.
    private static func sortByDigit(
        _ numbers: UnsafeBufferPointer<UInt64>, shift: UInt64,
        from order: UnsafeBufferPointer<UInt32>, to sorted: UnsafeMutableBufferPointer<UInt32>
    ) {
        let digits = 1 << digitBitCount
        func digit(_ index: UInt32) -> Int {
            Int(truncatingIfNeeded: numbers[Int(index)] &>> shift) & (digits - 1)
        }
        withUnsafeTemporaryAllocation(of: UInt32.self, capacity: digits) { ends in
            // The index at which the next number with each digit is stored.
            ends.initialize(repeating: 0)
            for index in order { ends[digit(index)] &+= 1 }
            var sum: UInt32 = 0
            for index in 0..<digits { (ends[index], sum) = (sum, sum &+ ends[index]) }
            for index in order {
                let digit = digit(index)
                sorted[Int(ends[digit])] = index
                ends[digit] &+= 1
            }
        }
    }
}
