import FirnValues

/// The codes that divide rows into buckets.
///
///     splitters        4     7     8
///     buckets     0..3 | 4..6 | 7 | 8...        bucket 2 has one code
struct SortSplitters: Sendable {
    /// The codes at which the buckets begin, except the first bucket; ascending.
    private let codes: [UInt64]
    /// The same codes, followed by copies of the greatest code, so that their number is one less
    /// than a power of two.
    private let padded: [UInt64]

    /// The number of buckets.
    var bucketCount: Int { codes.count + 1 }

    /// - Parameters:
    ///   - samples: codes of some rows, at least one.
    ///   - bucketCount: 2 to 128. Codes of many rows have buckets of their own besides.
    init(_ samples: [UInt64], bucketCount: Int) {
        let samples = samples.sorted()
        var codes: [UInt64] = []
        for number in 1..<bucketCount {
            let code = samples[samples.count * number / bucketCount]
            if let last = codes.last, last >= code {
                // The code would fill more than one bucket.
                if last == code, code < .max { codes.append(code + 1) }
            } else {
                codes.append(code)
            }
        }
        self.codes = codes
        var size = 1
        while size <= codes.count { size *= 2 }
        padded = codes + Array(repeating: .max, count: size - 1 - codes.count)
    }

    /// Returns whether the rows of a bucket have the same code.
    func hasOneCode(_ bucket: Int) -> Bool {
        guard bucket < codes.count else { return codes.last == .max }
        return codes[bucket] - (bucket > 0 ? codes[bucket - 1] : 0) == 1
    }

    /// Numbers the buckets of rows, and returns the number of rows in each bucket.
    func number(
        _ entries: SortView.Entries, into numbers: UnsafeMutableBufferPointer<UInt8>
    ) -> [Int] {
        var counts = [Int](repeating: 0, count: bucketCount)
        counts.withUnsafeMutableBufferPointer { counts in
            padded.withUnsafeBufferPointer { padded in
                let half = (padded.count + 1) / 2
                for (row, entry) in entries.enumerated() {
                    // The number of codes that are not above the code of the row.
                    var number = 0
                    var step = half
                    while step > 0 {
                        number += padded[number + step - 1] <= entry.code ? step : 0
                        step >>= 1
                    }
                    number = min(number, codes.count)
                    numbers[row] = UInt8(truncatingIfNeeded: number)
                    counts[number] += 1
                }
            }
        }
        return counts
    }
}
